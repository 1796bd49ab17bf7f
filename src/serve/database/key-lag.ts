/** Whether a key look-up on a server is valid: its lag, measured by a probe, must be within the limit. */
import type { Milliseconds, Seconds } from '../../model/terms.ts'
import type { DatabaseClient } from './database-client.ts'
import { createProbe, lagMs, stateSince } from './probe.ts'
import type { Probe, ProbedServer, ProbeOptions, ProbeWatcher } from './probe.ts'

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
        /** In `probes`. */
        readonly index: number
        readonly isSameDatabase: boolean
      }
    | undefined
}

export interface KeyLagOptions extends Omit<ProbeOptions, 'connectionString'> {
  readonly maxLagMs: Milliseconds
  /** Of the replicas of reports. Each other server gets a separate one. */
  readonly probes: readonly ProbedServer[]
}

export function createKeyLag({ name, url, replica }: KeyServer, options: KeyLagOptions) {
  const { maxLagMs, connectTimeoutMs } = options
  const watchers: ProbeWatcher[] = []
  let ownProbe: Probe | undefined
  let probe: ProbedServer = (replica && options.probes[replica.index]) ?? openProbe()

  /** why: metrics and log lines about probes cover only the replicas of reports */
  function openProbe(): Probe {
    const own = { connectionString: url, allowPrimary: true, observe: () => {} }
    ownProbe = createProbe({ ...options, ...own })
    watchers.forEach(ownProbe.watch)
    ownProbe.probe()
    return ownProbe
  }

  /** Infinity if unknown. */
  function lagOf(state: ReturnType<ProbedServer['state']>): Milliseconds {
    // why: the primary has no lag, whenever it was probed; another writable server has none that is known
    if (state?.inRecovery === false) return state.usable ? 0 : Number.POSITIVE_INFINITY
    return lagMs(state, probe.stateAgeMs())
  }

  return {
    /** Calls back for the results of probes. */
    watch(watcher: ProbeWatcher): void {
      watchers.push(watcher)
      probe.watch(watcher)
    },
    /** Call it with a new connection; probes its server if needed. @throws AnotherServerError */
    async accept(client: DatabaseClient): Promise<void> {
      // why: databases of a pooler may be on several servers
      if (client.server.isPooled && replica?.isSameDatabase === false)
        probe = ownProbe ?? openProbe()
      // why: behind a pooler, a probe from before the connection may be sufficient
      if (lagOf(stateSince(client.server, probe)) > maxLagMs)
        await probe.probeAnew(connectTimeoutMs)
      probe.refuseOther(client)
    },
    /**
     * @returns commands for the transaction of a look-up, which fail on another server
     * @throws KeysLagError if a look-up there is not valid; AnotherServerError, after it has called `closeOthers`
     */
    guardsFor(client: DatabaseClient, closeOthers: () => void): Buffer[] {
      probe.refuseOther(client, closeOthers)
      const lag = lagOf(stateSince(client.server, probe))
      if (lag <= maxLagMs) return probe.guardsFor(client)
      const found = Number.isFinite(lag) ? `${(lag / 1000).toFixed(1)} s` : 'unknown'
      const words = `the lag of ${name} is ${found}, and KEYS_MAX_LAG allows ${maxLagMs / 1000} s`
      throw new KeysLagError(words)
    },
    /** @see ServerCheck */
    statementFailed: (error: unknown): void => probe.statementFailed(error),
    otherServer: (): string | undefined => probe.otherServer(),
    /** Upper bound of the lag; undefined if unknown. */
    seconds(): Seconds | undefined {
      const lag = lagOf(probe.state())
      return Number.isFinite(lag) ? lag / 1000 : undefined
    },
    /** Whether a look-up there is valid; undefined before the first probe. */
    isUsable: (): boolean | undefined => probe.state() && lagOf(probe.state()) <= maxLagMs,
    close: async (): Promise<void> => ownProbe?.stop(),
  }
}
