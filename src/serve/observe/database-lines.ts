/** Log lines of replicas and key look-ups: one line for each change of state, with the remedy. */
import type { Level, Logger } from 'pino'
import type { Fact } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'

const STANDBY = 'reports are executed on a hot standby'
const ALLOWED = 'reports are executed on a writable server, because ALLOW_PRIMARY is set'
const REFUSED =
  'the server at DATABASE_URL is writable, so no report is executed: point DATABASE_URL at a hot standby, or set ALLOW_PRIMARY=true'
const REPLAY_PAUSED =
  'replay is paused, so the data do not change: select pg_wal_replay_resume() on the replica'
const LAG_UNKNOWN =
  "the replica's lag is unknown: check that it streams from the primary, and that the role of PROBE_DATABASE_URL has pg_read_all_stats"
const HEARTBEAT_UNREADABLE =
  "the replica's lag is unknown, because its heartbeat cannot be read: check that the role of PROBE_DATABASE_URL has the privilege, and that the product writes it"
const UNREACHABLE = 'the replica is unreachable: no report is sent to it'
const REACHABLE = 'connections to the replica can be made: it executes reports again'
const KEYS_FAIL = 'keys cannot be looked up, so requests get 503 access_unavailable'
const PROBE_FAILS = 'the replica does not respond to the probe, which is repeated'

/** @param writeLimited see `createLogLines`; failures of different outages are not similar */
export function createDatabaseLines(
  log: Logger,
  writeLimited: (level: Level, text: string, failure: object, outage: Milliseconds) => void,
  now: Clock,
) {
  /** The last text by replica and property. */
  const written = new Map<string, string>()
  /** By replica, or of the look-ups of keys. */
  const outages = new Map<string | undefined, { since: Milliseconds; failures: number }>()

  function writeChange(property: string, level: Level, text: string, fields: object): void {
    if (written.get(property) !== text) log[level](fields, text)
    written.set(property, text)
  }

  /** The end of a state that had a line. */
  function writeEnd(property: string, text: string, fields: object): void {
    if (written.delete(property)) log.info(fields, text)
  }

  function writeState({ replica, state }: Fact<'replica-probed'>): void {
    const { inRecovery, usable, replayPaused, dataAsOf, lagSeconds, heartbeatError } = state
    const fields = { replica, dataAsOf, lagSeconds }
    const [mode, replay, lag] = [`${replica} mode`, `${replica} replay`, `${replica} lag`]
    if (inRecovery) writeChange(mode, 'info', STANDBY, fields)
    else if (usable) writeChange(mode, 'warn', ALLOWED, fields)
    else writeChange(mode, 'error', REFUSED, fields)
    if (replayPaused) writeChange(replay, 'warn', REPLAY_PAUSED, fields)
    else writeEnd(replay, 'replay continues', fields)
    if (lagSeconds !== undefined || !inRecovery) writeEnd(lag, "the replica's lag is known", fields)
    else if (heartbeatError === undefined) writeChange(lag, 'warn', LAG_UNKNOWN, fields)
    else writeChange(lag, 'warn', HEARTBEAT_UNREADABLE, { ...fields, err: heartbeatError })
  }

  /** Writes the first failure of an outage, and the number of similar ones. */
  function writeFailure(name: string | undefined, text: string, failure: object): void {
    const outage = outages.get(name) ?? { since: now(), failures: 0 }
    outages.set(name, outage)
    outage.failures += 1
    // why: the first failure of the next outage has a line
    writeLimited('warn', text, failure, outage.since)
  }

  /** Writes the duration of the outage, if there was one. */
  function writeRecovery(name: string | undefined, text: string, replica?: string): void {
    const outage = outages.get(name)
    if (outage === undefined) return
    outages.delete(name)
    const { since, failures } = outage
    const awaySeconds = Math.round((now() - since) / 100) / 10
    log.info({ replica, awaySeconds, failures }, `${text} after ${awaySeconds} s`)
  }

  return {
    'key-lookup'({ error }: Fact<'key-lookup'>): void {
      const { replica } = Object(error) as { readonly replica?: string }
      if (error === undefined) writeRecovery('keys', 'keys can be looked up')
      else writeFailure('keys', KEYS_FAIL, { replica, error })
    },
    'replica-probe-failed'(fact: Fact<'replica-probe-failed'>): void {
      writeFailure(fact.replica, PROBE_FAILS, fact)
    },
    'replica-probed'(fact: Fact<'replica-probed'>): void {
      writeRecovery(fact.replica, 'the replica responds again', fact.replica)
      writeState(fact)
    },
    circuit({ replica, isOpen, error }: Fact<'circuit'>): void {
      if (isOpen) log.warn({ replica, err: error }, UNREACHABLE)
      else log.info({ replica }, REACHABLE)
    },
  }
}
