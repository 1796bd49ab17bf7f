/** Turns observations into log lines: their texts and levels. */
import type { Level, Logger } from 'pino'
import type { Fact, Observation, RequestOrigin } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createDatabaseLines } from './database-lines.ts'
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
