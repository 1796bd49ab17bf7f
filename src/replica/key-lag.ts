/**
 * Whether a look-up of keys on a server counts: how far the server may be behind the primary, by a probe
 * that asks that very server. A primary is behind nobody, and needs no probe.
 */
import type { ReplicaState } from '../observation.ts'
import type { Milliseconds, Seconds } from '../terms.ts'
import type { Server } from './pool.ts'
import type { Probe } from './probe.ts'

/** A look-up there would be a guess. */
export class KeysLagError extends Error {
  override readonly name = 'KeysLagError'
}

export interface KeyLag {
  /** Looks at what answers on a new connection; starts the probe that it needs. */
  connected(server: Server): void
  /** The probe that keys alone need has not been answered yet. */
  isLooking(): boolean
  /** Resolves once it has, or a time-out has passed. */
  seen(): Promise<void>
  /** What is wrong with asking there now; undefined is nothing. */
  refusal(server: Server | undefined): KeysLagError | undefined
  /** How far behind the primary it is at most; undefined is unknown. */
  seconds(): Seconds | undefined
  /** Whether a look-up there would count; undefined until that can be told. */
  counts(): boolean | undefined
  close(): Promise<void>
}

/** A server that is probed, and what was seen of it last. */
export interface Watched {
  /** `host:port` */
  readonly name: string
  readonly state: () => ReplicaState | undefined
  readonly stateAgeMs: () => Milliseconds
}

/** Whether the server that answers is the primary for as long as the connection lasts. */
function staysPrimary(server: Server | undefined): boolean {
  // why: behind a pooler another server may answer the next statement
  return server !== undefined && !server.inRecovery && !server.isPooled
}

export function createKeyLag(options: {
  /** `host:port` */
  readonly name: string
  readonly maxLagMs: Milliseconds
  /** A writable server counts as the primary. */
  readonly allowPrimary: boolean
  /** The same server, where reports run on it. */
  readonly shared: Watched | undefined
  /** Makes one for keys alone. */
  readonly createProbe: () => Probe
  readonly firstLookMs: Milliseconds
}): KeyLag {
  const { name, maxLagMs, allowPrimary, shared } = options
  let own: Probe | undefined
  let seen = Promise.resolve()
  /** What answered on the newest connection. */
  let newest: Server | undefined

  /** Infinity is unknown. */
  function lagMs(): Milliseconds {
    const state = (shared ?? own)?.state()
    if (!state) return Number.POSITIVE_INFINITY
    if (!state.inRecovery) return allowPrimary ? 0 : Number.POSITIVE_INFINITY
    if (state.lagSeconds === undefined) return Number.POSITIVE_INFINITY
    return state.lagSeconds * 1000 + (shared?.stateAgeMs() ?? own?.ageMs() ?? 0)
  }

  function refusal(server: Server | undefined): KeysLagError | undefined {
    if (allowPrimary && staysPrimary(server)) return undefined
    const lag = lagMs()
    if (lag <= maxLagMs) return undefined
    const found = Number.isFinite(lag) ? `${(lag / 1000).toFixed(1)} s` : 'unknown'
    return new KeysLagError(
      `the lag of ${name} is ${found}, and KEYS_MAX_LAG allows ${maxLagMs / 1000} s`,
    )
  }

  return {
    connected(server) {
      newest = server
      if (shared || own || (allowPrimary && staysPrimary(server))) return
      const probe = (own = options.createProbe())
      seen = new Promise(resolve => {
        const timer = setTimeout(resolve, options.firstLookMs)
        probe.start(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
    isLooking: () => own !== undefined && own.state() === undefined,
    seen: () => seen,
    refusal,
    seconds() {
      if (allowPrimary && staysPrimary(newest)) return 0
      const lag = lagMs()
      return Number.isFinite(lag) ? lag / 1000 : undefined
    },
    counts: () => (newest || shared ? refusal(newest) === undefined : undefined),
    async close() {
      await own?.stop()
    },
  }
}
