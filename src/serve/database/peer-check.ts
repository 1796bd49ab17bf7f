/**
 * What the last probe says of the peer of a connection: whether it is the server that the probe has reached, and how old the
 * data there are. Several servers may stand behind one name, and the lag of one says nothing about the data and the keys
 * of another.
 */
import type { ReplicaState } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { ANOTHER_SERVER, isAnotherServer, UnsuitableServerError } from './classify-error.ts'
import type { Peer, DatabaseClient } from './database-client.ts'
import { command } from './statement-bytes.ts'

/** How long readiness shows it. Idle connections are replaced each minute. */
const SHOWN_MS: Milliseconds = 600_000

/** The state at the last probe. */
export interface Probed {
  /** Undefined before the first probe. Never waits. */
  readonly state: () => ReplicaState | undefined
  /** Upper bound; Infinity before the first probe. */
  readonly stateAgeMs: () => Milliseconds
}

/** Whether a probe since the connection was made has reached another server. A restart closes connections. */
function isOther({ isPooled, ageMs, identity }: Peer, probed: Probed): boolean {
  const { server } = probed.state() ?? {}
  if (isPooled || server === undefined || probed.stateAgeMs() > ageMs()) return false
  // why: one server may have several addresses, such as those of IPv4 and IPv6
  return server.started !== identity.started
}

/**
 * The probed state, if it is newer than the connection. After a crash a standby restarts from its last restartpoint
 * and has older data until it has replayed the WAL again, so that an earlier state is not valid. A crash closes all
 * connections.
 */
export function stateSince(peer: Peer, probed: Probed): ReplicaState | undefined {
  // why: the age of a connection to a pooler proves nothing about the server behind it
  if (peer.isPooled) return probed.state()
  // why: in this order, time that passes between the two calls can only make the state seem too old
  const lastedMs = peer.ageMs()
  return probed.stateAgeMs() <= lastedMs && !isOther(peer, probed) ? probed.state() : undefined
}

/** Upper bound of the lag; Infinity if unknown. */
export function lagMs(state: ReplicaState | undefined, ageMs: Milliseconds): Milliseconds {
  if (state?.lagSeconds === undefined) return Number.POSITIVE_INFINITY
  // why: the data of a standby have aged since the probe
  return state.inRecovery ? state.lagSeconds * 1000 + ageMs : 0
}

/** Undefined if the data are new enough. */
export function lagProblem(
  state: ReplicaState | undefined,
  ageMs: Milliseconds,
  maxLagMs: Milliseconds,
): string | undefined {
  const lag = lagMs(state, ageMs)
  if (lag <= maxLagMs) return undefined
  if (lag === Number.POSITIVE_INFINITY) return 'has an unknown lag'
  return `may be ${lag / 1000} s behind, where ${maxLagMs / 1000} s are allowed`
}

export function createPeerCheck(probed: Probed) {
  let found: string | undefined
  let foundAt = Number.NEGATIVE_INFINITY

  function describe(other: string): string {
    foundAt = performance.now()
    return (found = `connections lead to ${probed.state()?.server?.address} and ${other}, expected one server behind each name: write each server's own name into DATABASE_URL or KEYS_DATABASE_URL, separated by commas`)
  }

  return {
    /** @throws UnsuitableServerError, after it has closed the connection and called `closeOthers` */
    refuseOther(client: DatabaseClient, closeOthers?: () => void): void {
      const { peer } = client
      if (!isOther(peer, probed)) return
      client.destroy()
      closeOthers?.()
      throw new UnsuitableServerError(`${ANOTHER_SERVER}: ${describe(peer.identity.address)}`)
    },
    /** Behind a pooler, a command for the transaction of a statement: it fails on another server. */
    guardsFor({ peer }: DatabaseClient): Buffer[] {
      const started = probed.state()?.server?.started
      if (!peer.isPooled || started === undefined) return []
      const isSame = `extract(epoch from pg_postmaster_start_time()) = ${started}`
      const sql = `select where not case when ${isSame} then true else current_setting('${ANOTHER_SERVER}')::bool end`
      return [command(sql)]
    },
    /** Call it with the error of a statement that was guarded. */
    statementFailed(error: unknown): void {
      if (isAnotherServer(error) && !(error instanceof UnsuitableServerError))
        describe('through the pooler to others')
    },
    /** What to write instead of a name behind which several servers stand. */
    otherServer: (): string | undefined =>
      performance.now() - foundAt < SHOWN_MS ? found : undefined,
  }
}
