/** Log lines of replicas and key look-ups: one line for each change of state, with the remedy. */
import type { Logger } from 'pino'
import type { Fact, ReplicaState } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { errorIdentity } from './error-fields.ts'
import type { LineLimit } from './line-limit.ts'

const MODES = {
  standby: { level: 'info', text: 'reports are executed on a hot standby' },
  allowed: {
    level: 'warn',
    text: 'reports are executed on a writable server, because ALLOW_PRIMARY is set',
  },
  refused: {
    level: 'error',
    text: 'the server at DATABASE_URL is writable, so no report is executed: point DATABASE_URL at a hot standby, or set ALLOW_PRIMARY=true',
  },
} as const

const REPLAY_PAUSED =
  'replay is paused, so the data do not change: select pg_wal_replay_resume() on the replica'

const LAG_UNKNOWN =
  "the replica's lag is unknown: check that it streams from the primary, and that the role of PROBE_DATABASE_URL has pg_read_all_stats"

const HEARTBEAT_UNREADABLE =
  "the replica's lag is unknown, because its heartbeat cannot be read: check that the role of PROBE_DATABASE_URL has the privilege, and that the product writes it"

const KEYS = 'keys'

const KEYS_FAIL = 'keys cannot be looked up, so requests get 503 access_unavailable'
const PROBE_FAILS = 'the replica does not respond to the probe, which is repeated'
const UNREACHABLE = 'the replica is unreachable: no report is sent to it'
const REACHABLE = 'connections to the replica can be made: it executes reports again'

export function createDatabaseLines(log: Logger, limit: LineLimit, now: Clock) {
  /** What the last line said, by replica and property. */
  const written = new Map<string, unknown>()
  /** By replica, or of the look-ups of keys. */
  const outages = new Map<string, { readonly since: Milliseconds; failures: number }>()

  /** @param first the value before the first line */
  function hasChanged(name: string, value: unknown, first?: unknown): boolean {
    const last = written.has(name) ? written.get(name) : first
    written.set(name, value)
    return value !== last
  }

  function writeState(replica: string | undefined, state: ReplicaState): void {
    const { inRecovery, usable, replayPaused, dataAsOf, lagSeconds, heartbeatError } = state
    const fields = { replica, dataAsOf, lagSeconds }
    const mode = inRecovery ? 'standby' : usable ? 'allowed' : 'refused'
    if (hasChanged(`${replica} mode`, mode)) log[MODES[mode].level](fields, MODES[mode].text)
    if (hasChanged(`${replica} is paused`, replayPaused, false)) {
      if (replayPaused) log.warn(fields, REPLAY_PAUSED)
      else log.info(fields, 'replay continues')
    }
    const isLagKnown = lagSeconds !== undefined || !inRecovery
    if (!hasChanged(`${replica} has lag`, isLagKnown, true)) return
    if (isLagKnown) return log.info(fields, "the replica's lag is known")
    const text = heartbeatError === undefined ? LAG_UNKNOWN : HEARTBEAT_UNREADABLE
    log.warn({ ...fields, err: heartbeatError }, text)
  }

  /** Writes the first failure of an outage, and the number of similar ones. */
  function writeFailure(name: string, replica: string | undefined, error: unknown, text: string) {
    const outage = outages.get(name) ?? { since: now(), failures: 0 }
    outages.set(name, outage)
    outage.failures += 1
    // why: the first failure of the next outage has a line
    const key = `${text} ${outage.since} ${errorIdentity(error)}`
    const fields = (): object => ({ err: error })
    limit.write({ owner: replica ?? '', key, level: 'warn', text, about: { replica }, fields })
  }

  /** Writes the duration of the outage, if there was one. */
  function writeRecovery(name: string, replica: string | undefined, text: string): void {
    const outage = outages.get(name)
    if (outage === undefined) return
    outages.delete(name)
    const { since, failures } = outage
    const awaySeconds = Math.round((now() - since) / 100) / 10
    log.info({ replica, awaySeconds, failures }, `${text} after ${awaySeconds} s`)
  }

  return {
    'key-lookup'({ error }: Fact<'key-lookup'>): void {
      if (error === undefined) writeRecovery(KEYS, undefined, 'keys can be looked up')
      else writeFailure(KEYS, databaseOf(error), error, KEYS_FAIL)
    },
    'replica-probe-failed'({ replica, error }: Fact<'replica-probe-failed'>): void {
      writeFailure(`${replica}`, replica, error, PROBE_FAILS)
    },
    'replica-probed'({ replica, state }: Fact<'replica-probed'>): void {
      writeRecovery(`${replica}`, replica, 'the replica responds again')
      writeState(replica, state)
    },
    circuit({ replica, isOpen, error }: Fact<'circuit'>): void {
      if (isOpen) log.warn({ replica, err: error }, UNREACHABLE)
      else log.info({ replica }, REACHABLE)
    },
  }
}

/** `host:port` of the database, if the error has it. */
function databaseOf(error: unknown): string | undefined {
  const { replica } = Object(error) as { readonly replica?: unknown }
  return typeof replica === 'string' ? replica : undefined
}
