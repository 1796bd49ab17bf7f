/**
 * Whether a look-up of keys on a server counts: how far the server may be behind the primary, by a probe
 * that asks that very server. A primary is behind nobody, and needs no probe.
 */
import type { Milliseconds, Seconds } from '../../model/terms.ts'
import type { Server } from './pool.ts'
import type { Probe } from './probe.ts'
import { seenSince, watchedBy } from './watched.ts'
import type { Watched } from './watched.ts'

/** A look-up there would be a guess. */
export class KeysLagError extends Error {
  override readonly name = 'KeysLagError'
}

export interface KeyLag {
  /** Has a server that needs it looked at since it answered on a new connection. */
  connected(server: Server): void
  /** Resolves once that has been done, or a time-out has passed. */
  seen(): Promise<void>
  /** What is wrong with asking there now; undefined is nothing. */
  refusal(server: Server | undefined): KeysLagError | undefined
  /** How far behind the primary it is at most; undefined is unknown. */
  seconds(): Seconds | undefined
  /** Whether a look-up there would count; undefined until that can be told. */
  counts(): boolean | undefined
  close(): Promise<void>
}

export function createKeyLag(options: {
  /** `host:port` */
  readonly name: string
  readonly maxLagMs: Milliseconds
  /** A writable server counts as the primary, though reports run on it. */
  readonly allowPrimary: boolean
  /** Reports run at the same host and port, on the same database or on another. */
  readonly replica: { readonly watched: Watched; readonly isSameDatabase: boolean } | undefined
  /** Makes one for keys alone. */
  readonly createProbe: () => Probe
  /** Longest wait for a look. */
  readonly lookMs: Milliseconds
}): KeyLag {
  const { name, maxLagMs, allowPrimary, replica } = options
  let own: Probe | undefined
  let ownWatched: Watched | undefined
  let seen = Promise.resolve()
  /** What answered on the newest connection. */
  let newest: Server | undefined

  function isReplica({ isPooled }: Server): boolean {
    // why: a pooler's databases may be those of several servers
    return replica !== undefined && (replica.isSameDatabase || !isPooled)
  }

  function mayBePrimary(server: Server): boolean {
    return allowPrimary || !isReplica(server)
  }

  /** Whether the server that answers is the primary for as long as the connection lasts. */
  function staysPrimary(server: Server): boolean {
    // why: behind a pooler another server may answer the next statement
    return !server.inRecovery && !server.isPooled && mayBePrimary(server)
  }

  function watchedOf(server: Server): Watched {
    if (replica && isReplica(server)) return replica.watched
    return (ownWatched ??= watchedBy((own = options.createProbe())))
  }

  /** Infinity is unknown. */
  function lagMs(server: Server | undefined): Milliseconds {
    const watched = server && watchedOf(server)
    const state = watched && seenSince(server, watched)
    if (!state) return Number.POSITIVE_INFINITY
    if (!state.inRecovery) return mayBePrimary(server) ? 0 : Number.POSITIVE_INFINITY
    if (state.lagSeconds === undefined) return Number.POSITIVE_INFINITY
    return state.lagSeconds * 1000 + watched.stateAgeMs()
  }

  function refusal(server: Server | undefined): KeysLagError | undefined {
    if (server && staysPrimary(server)) return undefined
    const lag = lagMs(server)
    if (lag <= maxLagMs) return undefined
    const found = Number.isFinite(lag) ? `${(lag / 1000).toFixed(1)} s` : 'unknown'
    return new KeysLagError(
      `the lag of ${name} is ${found}, and KEYS_MAX_LAG allows ${maxLagMs / 1000} s`,
    )
  }

  return {
    connected(server) {
      newest = server
      if (staysPrimary(server)) return
      seen = watchedOf(server).lookAnew(options.lookMs)
    },
    seen: () => seen,
    refusal,
    seconds() {
      if (newest && staysPrimary(newest)) return 0
      const lag = lagMs(newest)
      return Number.isFinite(lag) ? lag / 1000 : undefined
    },
    counts: () => (newest ? refusal(newest) === undefined : undefined),
    async close() {
      await own?.stop()
    },
  }
}
