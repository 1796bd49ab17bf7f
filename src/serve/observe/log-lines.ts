/** Turns observations into log lines: their texts and levels. */
import type { Level, Logger } from 'pino'
import type { Fact, Observation, RequestOrigin } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { markDefect, markDefectWithoutCode, errorIdentity } from './error-fields.ts'
import { createLineLimit } from './line-limit.ts'
import { createRequestLines, createRequestSummary } from './request-lines.ts'

export function createLogLines(log: Logger, trustProxy: readonly string[], now: Clock) {
  const limit = createLineLimit(log, now)
  // why: requests have their own limit, since clients choose how many kinds of lines they cause
  const requestLimit = createLineLimit(log, now)
  const writeRequest = createRequestLines(log, requestLimit, trustProxy)
  const summary = createRequestSummary(log, now)

  /** Writes a line with the fields of the observation. */
  function write(level: Level, text: string, fact: Observation): void {
    if (log.isLevelEnabled(level)) log[level](fieldsOf(fact), text)
  }

  /** Lines are similar if text, replica and kind of error are the same. */
  function writeLimited(level: Level, text: string, fact: object, outage?: Milliseconds): void {
    const { error, replica, reason, definition, column } = fact as Readonly<Record<string, unknown>>
    if (level === 'error') markDefectWithoutCode(error)
    const key = [text, replica, errorIdentity(error), outage].join(' ')
    const about = { replica, reason, definition, column }
    limit.write({ key, level, text, about, fields: () => fieldsOf(fact) })
  }

  function writeExecution(fact: Fact<'execution'>): void {
    const { definition, outcome, replica } = fact
    if (outcome === 'error') writeLimited('error', `the execution of ${definition} failed`, fact)
    else if (outcome === 'unavailable')
      writeLimited('warn', replica === undefined ? NO_REPLICA : NOT_COMPLETED, fact)
    else if (outcome === 'spool_full') writeLimited('warn', SPOOL_FULL, fact)
    else if (outcome === 'timeout') write('warn', `the execution of ${definition} timed out`, fact)
    else write('debug', `executed ${definition}`, fact)
  }

  function writeReloaded(fact: Fact<'definitions-reloaded'>): void {
    const { findings, added, changed, removed } = fact
    for (const { message, ...place } of findings) log.error(place, message)
    if (findings.length > 0) log.error({ findingCount: findings.length }, NOT_RELOADED)
    else if (added.length + changed.length + removed.length > 0)
      log.info({ added, changed, removed }, 'the definitions are reloaded')
    else log.info('the definitions are reloaded: no file has changed')
  }

  const lines: { readonly [Kind in Observation['kind']]?: (fact: Fact<Kind>) => void } = {
    ...createDatabaseLines(log, writeLimited, now),
    request(fact) {
      summary.count(fact)
      writeRequest(fact)
    },
    'connection-acquired': noteBackend,
    execution: writeExecution,
    'connection-closed': fact => writeLimited('warn', CLOSED[fact.reason], fact),
    'access-row-rejected': fact => write('error', ACCESS_ROW_REJECTED, fact),
    'time-zone-differs': fact => write('warn', TIME_ZONE_DIFFERS, fact),
    'pooler-detected': ({ pool }) => log.info({ pool }, POOLER),
    'write-privileges': ({ found, replica }) =>
      log[found === undefined ? 'info' : 'warn']({ replica }, found ?? NO_WRITE_PRIVILEGES),
    'connection-lost': fact =>
      writeLimited('warn', `a connection of the pool ${fact.pool} broke`, fact),
    'execution-retried': fact => writeLimited('warn', RETRIED, fact),
    'values-nulled': fact => writeLimited('warn', nulledText(fact.definition, fact.column), fact),
    'currencies-unknown': fact =>
      writeLimited('warn', unknownText(fact.definition, fact.column), fact),
    'definition-refused': fact =>
      write('error', `${fact.definition} cannot be executed on this replica`, fact),
    'access-degraded': fact => write('warn', ACCESS_DEGRADED, fact),
    'definitions-reloaded': writeReloaded,
    'reload-waits': fact => write('warn', RELOAD_WAITS, fact),
    'process-error'(fact) {
      markDefect(fact.error)
      writeLimited('error', 'uncaught error', fact)
    },
    'definitions-loaded': fact => write('info', 'the definitions are loaded', fact),
    'definition-note': ({ message, ...place }) => log.info(place, message),
    listening: fact => write('info', listeningText(fact), fact),
    draining: fact => write('info', fact.delayMs > 0 ? DRAINING : FINISHING, fact),
    stopped: fact => write('info', 'stopped', fact),
  }

  return {
    observe: (fact: Observation): void => lines[fact.kind]?.(fact as never),
    /** Writes the summary of requests and the numbers of omitted lines. */
    flush: (): void => {
      requestLimit.flush()
      summary.flush()
      limit.flush()
    },
  }
}

/**
 * Lines of replicas and key look-ups: one for each change of state, with the remedy.
 * @param writeLimited see `createLogLines`; failures of different outages are not similar
 */
function createDatabaseLines(
  log: Logger,
  writeLimited: (level: Level, text: string, failure: object, outage: Milliseconds) => void,
  now: Clock,
) {
  /** The last text by replica and property. */
  const written = new Map<string, string>()
  /** Outages of replicas, and of look-ups as `keys`. */
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
const NO_REPLICA = 'no replica for an execution'
const NOT_COMPLETED = 'an execution did not complete'
const RETRIED = 'an execution failed on a replica, and is retried'
const NO_WRITE_PRIVILEGES = 'the role of reports has no write privileges'
const DRAINING = 'draining: not ready, still serving'
const FINISHING = 'draining: not ready, finishing'

const ACCESS_ROW_REJECTED =
  'the access row of an organization is not valid: its keys get 503 access_unavailable'

const ACCESS_DEGRADED =
  'sql/access/ has a finding: commands cannot use the list of organizations, keys of some get 503 access_unavailable, or each look-up of a key is slow'

const TIME_ZONE_DIFFERS =
  'PostgreSQL and Node give a time zone different offsets: dates may be wrong by the difference; use a name such as Europe/Berlin instead of an abbreviation such as CET, and the same tzdata release on both'

const SPOOL_FULL =
  'a large response was refused because its file could not be written: if clients read too many, raise SPOOL_MAX_BYTES, of which one organization may use half, if the disk of TMPDIR has space'

const POOLER =
  'a pooler is in front of the server: nothing is prepared, and each transaction sets its settings'

const NOT_RELOADED = 'the definitions are not reloaded: the previous ones are used'

const RELOAD_WAITS =
  'no replica is available: changed definitions are used once one has validated them'

const CLOSED = {
  limit: 'a connection was closed: MAX_CONNECTIONS are open',
  unauthorized:
    'a connection was closed after 20 responses 401 in a row; if it is of a proxy, name the proxy in TRUST_PROXY',
  pipelined: 'a connection was closed: too many pipelined requests waited',
}

/** Also used by `svodka run`. */
export function nulledText(definition: string, column: string): string {
  return `the column ${column} of ${definition} has NaN, infinity or dates outside the years 0001-9999, which are sent as null`
}

export function unknownText(definition: string, column: string): string {
  return `the column ${column} of ${definition} has codes that ISO 4217 does not have, or null: their amounts are shown without digits and sign`
}

/** Lines of the request name the backend. */
function noteBackend({ origin, backendPid }: Fact<'connection-acquired'>): void {
  if (origin === undefined || backendPid === undefined) return
  origin.backendPids ??= []
  if (!origin.backendPids.includes(backendPid)) origin.backendPids.push(backendPid)
}

function listeningText({ server, host, port }: Fact<'listening'>): string {
  const name = server === 'api' ? 'the API' : 'operations'
  return `${name} on http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function fieldsOf(fact: object): object {
  const { origin, error } = fact as { readonly origin?: RequestOrigin; readonly error?: unknown }
  return { ...fact, requestId: origin?.requestId, err: error }
}
