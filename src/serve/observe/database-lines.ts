/** Log lines of replicas and key look-ups: one line for each change of state, with the remedy. */
import type { Logger } from 'pino'
import type { CircuitState, Observation, ReplicaState } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createLineLimit } from './line-limit.ts'

type Fact = Extract<Observation, { kind: 'replica-probed' | 'replica-probe-failed' | 'circuit' }>
type KeyLookup = Extract<Observation, { kind: 'key-lookup' }>

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

const PROBE_OUTAGE = {
  failed: 'the replica does not respond to the probe, which is repeated',
  recovered: 'the replica responds again',
}

/** Each line names its replica in the field `replica`. */
export function createReplicaLines(log: Logger, now: Clock): (fact: Fact) => void {
  const linesOf = new Map<string | undefined, (fact: Fact) => void>()
  return fact => {
    const { replica } = fact
    let write = linesOf.get(replica)
    if (write === undefined) {
      linesOf.set(replica, (write = createLinesOfReplica(log.child({ replica }), now)))
    }
    write(fact)
  }
}

function createLinesOfReplica(log: Logger, now: Clock): (fact: Fact) => void {
  const outage = createOutage(log, now, PROBE_OUTAGE)
  /** A replica is assumed to work until its first line. */
  const written = new Map<string, unknown>(
    Object.entries({ circuit: 'closed', paused: false, lagKnown: true }),
  )

  function hasChanged(name: string, value: unknown): boolean {
    const last = written.get(name)
    written.set(name, value)
    return value !== last
  }

  function writeCircuit(state: CircuitState, error: unknown): void {
    if (state === 'half-open' || !hasChanged('circuit', state)) return
    if (state === 'open')
      log.warn({ err: error }, 'the replica is unreachable: no report is sent to it')
    else log.info('connections to the replica can be made: it executes reports again')
  }

  function writeState(state: ReplicaState): void {
    const { inRecovery, usable, replayPaused, dataAsOf, lagSeconds, heartbeatError } = state
    const fields = { dataAsOf, lagSeconds }
    const mode = inRecovery ? 'standby' : usable ? 'allowed' : 'refused'
    if (hasChanged('mode', mode)) log[MODES[mode].level](fields, MODES[mode].text)
    if (hasChanged('paused', replayPaused)) {
      if (replayPaused) log.warn(fields, REPLAY_PAUSED)
      else log.info(fields, 'replay continues')
    }
    const isLagKnown = lagSeconds !== undefined || !inRecovery
    if (!hasChanged('lagKnown', isLagKnown)) return
    if (heartbeatError !== undefined) {
      log.warn({ ...fields, err: heartbeatError }, HEARTBEAT_UNREADABLE)
    } else if (isLagKnown) log.info(fields, "the replica's lag is known")
    else log.warn(fields, LAG_UNKNOWN)
  }

  return fact => {
    if (fact.kind === 'circuit') return writeCircuit(fact.state, fact.error)
    if (fact.kind === 'replica-probe-failed') return outage.failed(fact.error)
    outage.recovered()
    writeState(fact.state)
  }
}

const REPLAY_PAUSED =
  'replay is paused, so the data do not change: select pg_wal_replay_resume() on the replica'

const LAG_UNKNOWN =
  "the replica's lag is unknown: check that it streams from the primary, and that the role of PROBE_DATABASE_URL has pg_read_all_stats"

const HEARTBEAT_UNREADABLE =
  "the replica's lag is unknown, because its heartbeat cannot be read: check that the role of PROBE_DATABASE_URL has the privilege, and that the product writes it"

const KEYS_OUTAGE = {
  failed: 'keys cannot be looked up, so requests get 503 access_unavailable',
  recovered: 'keys can be looked up',
}

export function createKeyLines(log: Logger, now: Clock): (fact: KeyLookup) => void {
  const outage = createOutage(log, now, KEYS_OUTAGE)
  return ({ error }) => {
    if (error === undefined) outage.recovered()
    else outage.failed(error, { replica: databaseOf(error) })
  }
}

/** `host:port` of the database, if the error has it. */
function databaseOf(error: unknown): string | undefined {
  const { replica } = Object(error) as { readonly replica?: unknown }
  return typeof replica === 'string' ? replica : undefined
}

/** Log lines of an outage: the first failure, the number of similar ones, the recovery. */
interface Outage {
  failed(error: unknown, fields?: { readonly replica?: string | undefined }): void
  /** Writes the duration of the outage, if there was one. */
  recovered(): void
}

function createOutage(
  log: Logger,
  now: Clock,
  texts: { readonly failed: string; readonly recovered: string },
): Outage {
  const limit = createLineLimit(log, now)
  let since: Milliseconds | undefined
  let failures = 0
  return {
    failed(error, fields = {}) {
      since ??= now()
      failures += 1
      limit.writeError('warn', error, fields, texts.failed)
    },
    recovered() {
      if (since === undefined) return
      const awaySeconds = Math.round((now() - since) / 100) / 10
      log.info({ awaySeconds, failures }, `${texts.recovered} after ${awaySeconds} s`)
      since = undefined
      failures = 0
      limit.reset()
    },
  }
}
