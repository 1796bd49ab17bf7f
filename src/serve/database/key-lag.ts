/**
 * Whether a key look-up on a server is valid: the lag of the server, measured by a probe, must be within the limit.
 * A primary has no lag, and needs no probe.
 */
import type { Milliseconds, Seconds } from '../../model/terms.ts'
import { createProbe, lagMs, stateSince } from './probe.ts'
import type { Probe, ProbedServer, ProbeOptions } from './probe.ts'
import type { Server, DatabaseClient } from './database-client.ts'

/** The lag is above the limit or unknown, so that the result of a look-up may be outdated. */
export class KeysLagError extends Error {
  override readonly name = 'KeysLagError'
}

export type KeyLag = ReturnType<typeof createKeyLag>

export interface KeyServer {
  /** `host:port` */
  readonly name: string
  readonly url: string
  /** The replica at the same host and port. If it is writable, it is not assumed to be the primary. */
  readonly replica:
    | {
        /** In `replicas`. */
        readonly index: number
        readonly isSameDatabase: boolean
      }
    | undefined
}

export interface KeyLagOptions extends Omit<ProbeOptions, 'connectionString'> {
  readonly maxLagMs: Milliseconds
  /** The replicas of reports. Other servers that need a probe get a separate one. */
  readonly replicas: readonly ProbedServer[]
}

export function createKeyLag({ name, url, replica }: KeyServer, options: KeyLagOptions) {
  // why: a writable server that `allowPrimary` lets in is the primary, even if it also executes reports
  const { maxLagMs, allowPrimary } = options
  const replicaProbe = replica && options.replicas[replica.index]
  let keyProbe: Probe | undefined
  /** The server of the newest connection. */
  let newest: Server | undefined

  // why: databases of a pooler may be on several servers
  const replicaOf = ({ isPooled }: Server): ProbedServer | undefined =>
    replica?.isSameDatabase === true || !isPooled ? replicaProbe : undefined
  const mayBePrimary = (server: Server): boolean => allowPrimary || !replicaOf(server)

  /** Undefined for a primary. */
  function probeOf(server: Server): ProbedServer | undefined {
    // why: behind a pooler another server may execute the next statement
    if (!server.inRecovery && !server.isPooled && mayBePrimary(server)) return undefined
    return replicaOf(server) ?? (keyProbe ??= openProbe())
  }

  /** why: metrics and log lines about probes cover only the replicas of reports */
  function openProbe(): Probe {
    const own = { connectionString: url, allowPrimary: true, observe: () => {} }
    return createProbe({ ...options, ...own })
  }

  /** Infinity if unknown. */
  function lagOf(server: Server): Milliseconds {
    const probe = probeOf(server)
    const state = probe && stateSince(server, probe)
    if (!probe || (state?.inRecovery === false && mayBePrimary(server))) return 0
    return lagMs(state, probe.stateAgeMs())
  }

  return {
    /** Called with a new connection; probes its server if needed. @throws AnotherServerError */
    async connected(client: DatabaseClient): Promise<void> {
      const { server } = client
      newest = server
      const probe = probeOf(server)
      // why: behind a pooler, a probe from before the connection may be sufficient
      if (lagOf(server) > maxLagMs) await probe?.probeAnew(options.connectTimeoutMs)
      probe?.refuseOther(client)
    },
    /** @see ServerCheck */
    guardsFor: (client: DatabaseClient): Buffer[] =>
      probeOf(client.server)?.guardsFor(client) ?? [],
    statementFailed: (error: unknown): void => newest && probeOf(newest)?.statementFailed(error),
    otherServer: (): string | undefined => newest && probeOf(newest)?.otherServer(),
    /** @throws KeysLagError if a look-up there is not valid; AnotherServerError, after it has called `closeOthers` */
    check(client: DatabaseClient, closeOthers: () => void): void {
      probeOf(client.server)?.refuseOther(client, closeOthers)
      const lag = lagOf(client.server)
      if (lag <= maxLagMs) return
      const found = Number.isFinite(lag) ? `${(lag / 1000).toFixed(1)} s` : 'unknown'
      const words = `the lag of ${name} is ${found}, and KEYS_MAX_LAG allows ${maxLagMs / 1000} s`
      throw new KeysLagError(words)
    },
    /** Upper bound of the lag; undefined if unknown. */
    seconds(): Seconds | undefined {
      const lag = newest ? lagOf(newest) : Number.POSITIVE_INFINITY
      return Number.isFinite(lag) ? lag / 1000 : undefined
    },
    /** Whether a look-up there is valid; undefined before the first connection. */
    isUsable: (): boolean | undefined => newest && lagOf(newest) <= maxLagMs,
    close: async (): Promise<void> => keyProbe?.stop(),
  }
}
