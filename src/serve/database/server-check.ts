/**
 * Whether a connection leads to the server that the probe has reached. Several servers may stand behind one name, and
 * the lag of one says nothing about the data and the keys of another.
 */
import { monotonicClock } from '../../model/clock.ts'
import type { ReplicaState } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { ANOTHER_SERVER, isAnotherServer, UnsuitableServerError } from './classify-error.ts'
import type { Server, DatabaseClient } from './database-client.ts'
import { command } from './statement-bytes.ts'

/** How long readiness shows it. Idle connections are replaced each minute. */
const SHOWN_MS: Milliseconds = 600_000

/** Whether a probe since the connection was made has reached another server. A restart closes connections. */
export function isOther({ isPooled, ageMs, identity }: Server, probed: Probed): boolean {
  const { server } = probed.state() ?? {}
  if (isPooled || server === undefined || probed.stateAgeMs() > ageMs()) return false
  // why: one server may have several addresses, such as those of IPv4 and IPv6
  return server.started !== identity.started
}

/** The state at the last probe. */
export interface Probed {
  /** Undefined before the first probe. Never waits. */
  readonly state: () => ReplicaState | undefined
  /** Upper bound; Infinity before the first probe. */
  readonly stateAgeMs: () => Milliseconds
}

export function createServerCheck(probed: Probed) {
  let found: string | undefined
  let foundAt = Number.NEGATIVE_INFINITY

  function describe(other: string): string {
    foundAt = monotonicClock()
    return (found = `connections lead to ${probed.state()?.server?.address} and ${other}, expected one server behind each name: write each server's own name into DATABASE_URL or KEYS_DATABASE_URL, separated by commas`)
  }

  return {
    /** @throws UnsuitableServerError, after it has closed the connection and called `closeOthers` */
    refuseOther(client: DatabaseClient, closeOthers?: () => void): void {
      const { server } = client
      if (!isOther(server, probed)) return
      client.destroy()
      closeOthers?.()
      throw new UnsuitableServerError(`${ANOTHER_SERVER}: ${describe(server.identity.address)}`)
    },
    /** Behind a pooler, a command for the transaction of a statement: it fails on another server. */
    guardsFor({ server }: DatabaseClient): Buffer[] {
      const started = probed.state()?.server?.started
      if (!server.isPooled || started === undefined) return []
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
      monotonicClock() - foundAt < SHOWN_MS ? found : undefined,
  }
}
