/**
 * Whether a look-up of keys on a server counts: how far the server may be behind the primary, by a probe
 * of that very server. A primary is never behind, and needs no probe.
 */
import type { Milliseconds, Seconds } from '../../model/terms.ts'
import type { Server } from './connection.ts'
import { lagMs, stateSince } from './probe.ts'
import type { Probe, ProbedServer } from './probe.ts'

/** A look-up there would be a guess. */
export class KeysLagError extends Error {
  override readonly name = 'KeysLagError'
}

export interface KeyLag {
  /** Probes a server that needs it, as it answers on a new connection. */
  connected(server: Server): Promise<void>
  /** @throws KeysLagError if a look-up there does not count */
  check(server: Server): void
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
  /** A writable server counts as the primary, though reports are executed on it. */
  readonly allowPrimary: boolean
  /** Reports are executed at the same host and port, on the same database or on another. */
  readonly replica: { readonly probe: ProbedServer; readonly isSameDatabase: boolean } | undefined
  /** Makes one for keys alone. */
  readonly createProbe: () => Probe
  /** Longest wait for a probe. */
  readonly probeMs: Milliseconds
}): KeyLag {
  const { name, maxLagMs, allowPrimary, replica, probeMs } = options
  let own: Probe | undefined
  /** What answered on the newest connection. */
  let newest: Server | undefined

  // why: a pooler's databases may be those of several servers
  const isReplica = ({ isPooled }: Server): boolean =>
    replica !== undefined && (replica.isSameDatabase || !isPooled)
  const mayBePrimary = (server: Server): boolean => allowPrimary || !isReplica(server)
  // why: behind a pooler another server may answer the next statement
  const staysPrimary = (server: Server): boolean =>
    !server.inRecovery && !server.isPooled && mayBePrimary(server)
  const probeOf = (server: Server): ProbedServer =>
    replica && isReplica(server) ? replica.probe : (own ??= options.createProbe())

  /** Infinity is unknown. */
  function lagOf(server: Server): Milliseconds {
    if (staysPrimary(server)) return 0
    const probe = probeOf(server)
    const state = stateSince(server, probe)
    if (state?.inRecovery === false && mayBePrimary(server)) return 0
    return lagMs(state, probe.stateAgeMs())
  }

  return {
    async connected(server) {
      newest = server
      // why: behind a pooler, what was probed before the connection may say enough
      if (lagOf(server) > maxLagMs) await probeOf(server).probeAnew(probeMs)
    },
    check(server) {
      const lag = lagOf(server)
      if (lag <= maxLagMs) return
      const found = Number.isFinite(lag) ? `${(lag / 1000).toFixed(1)} s` : 'unknown'
      const words = `the lag of ${name} is ${found}, and KEYS_MAX_LAG allows ${maxLagMs / 1000} s`
      throw new KeysLagError(words)
    },
    seconds() {
      const lag = newest ? lagOf(newest) : Number.POSITIVE_INFINITY
      return Number.isFinite(lag) ? lag / 1000 : undefined
    },
    counts: () => newest && lagOf(newest) <= maxLagMs,
    async close() {
      await own?.stop()
    },
  }
}
