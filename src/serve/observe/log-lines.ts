/** Turns observations into log lines: their texts and levels. */
import type { Logger } from 'pino'
import type { Fact, MissingSetting, Observation, RequestOrigin } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { createDatabaseLines } from './database-lines.ts'
import { defect, defectWithoutCode, errorIdentity } from './error-fields.ts'
import { createLineLimit } from './line-limit.ts'
import type { Level } from './line-limit.ts'
import { createRequestLines, roundMs } from './request-lines.ts'

type Kind = Observation['kind']

export function createLogLines(log: Logger, trustProxy: readonly string[], now: Clock) {
  const requests = createRequestLines(log, trustProxy, now)
  // why: requests have their own limit, since clients choose how many kinds of lines they cause
  const limit = createLineLimit(log, now)
  const isDebug = log.isLevelEnabled('debug')

  /** A line with the fields of the observation. */
  function line<F extends Observation>(level: Level, text: string | ((fact: F) => string)) {
    return (fact: F): void =>
      log[level](fieldsOf(fact), typeof text === 'string' ? text : text(fact))
  }

  /** Lines are similar if text, replica and kind of error are the same. */
  function writeError(level: 'error' | 'warn', fact: Observation, text: string): void {
    const { error, replica } = fact as { readonly error?: unknown; readonly replica?: string }
    const err = level === 'error' ? defectWithoutCode(error) : error
    const key = `${text} ${errorIdentity(error)}`
    const fields = (): object => ({ ...fieldsOf(fact), err })
    limit.write({ owner: replica ?? '', key, level, text, about: { replica }, fields })
  }

  function writeWarning(owner: string, key: string, text: string, fact: Observation): void {
    const about = fieldsOf(fact)
    limit.write({ owner, key, level: 'warn', text, about, fields: () => ({}) })
  }

  function writeExecution(fact: Fact<'execution'>): void {
    const { definition, outcome, replica } = fact
    if (outcome === 'error') writeError('error', fact, `the execution of ${definition} failed`)
    else if (outcome === 'unavailable')
      writeError('warn', fact, replica === undefined ? NO_REPLICA : NOT_COMPLETED)
    else if (outcome === 'spool_full') writeError('warn', fact, SPOOL_FULL)
    else if (outcome === 'timeout')
      log.warn(fieldsOf({ ...fact, error: undefined }), `the execution of ${definition} timed out`)
    else if (isDebug) log.debug(fieldsOf(fact), `executed ${definition}`)
  }

  function writePooler({ pool, missingSettings }: Fact<'pooler-detected'>): void {
    const found = `a pooler is between the pool ${pool} and its server`
    if (missingSettings.length === 0)
      return log.info({ pool }, `${found}: nothing is prepared, and its role has the settings`)
    const isRefused = missingSettings.some(({ affectsResults }) => affectsResults)
    const refused = isRefused
      ? ', so its connections are refused, because results would be wrong'
      : ''
    const settings = missingSettings.map(missingSettingText).join(' ')
    const text = `${found}, and its role lacks settings${refused}. ${settings} ${RECONNECT}`
    log[isRefused ? 'error' : 'warn']({ pool }, text)
  }

  function writeReloaded(fact: Fact<'definitions-reloaded'>): void {
    const { findings, added, changed, removed } = fact
    for (const { file, line: lineNumber, message } of findings)
      log.error({ file, line: lineNumber }, message)
    if (findings.length > 0) log.error({ findingCount: findings.length }, NOT_RELOADED)
    else if (added.length + changed.length + removed.length > 0)
      log.info({ added, changed, removed }, 'the definitions are reloaded')
    else log.info('the definitions are reloaded: no file has changed')
  }

  const lines: { readonly [K in Kind]?: (fact: Fact<K>) => void } = {
    ...createDatabaseLines(log, limit, now),
    request: fact => requests.observe(fact),
    'connection-acquired': fact => requests.noteBackend(fact),
    execution: writeExecution,
    'connection-closed'(fact) {
      // why: a separate owner, since errors can use up the keys of lines without an owner
      writeWarning('connections', fact.reason, CLOSED[fact.reason], fact)
    },
    'access-row-rejected': line('error', ACCESS_ROW_REJECTED),
    'access-check-failed': line(
      'warn',
      ({ check }) => `${check} of access rows cannot be checked: the last verdicts stay valid`,
    ),
    'time-zone-differs': line('warn', TIME_ZONE_DIFFERS),
    'pooler-detected': writePooler,
    'write-privileges': ({ found, replica }) =>
      found === undefined
        ? log.info({ replica }, 'the role of reports has no write privileges')
        : log.warn({ replica }, found),
    'connection-lost': fact =>
      writeError('warn', fact, `a connection of the pool ${fact.pool} broke`),
    'execution-retried': fact =>
      writeError('warn', fact, 'an execution failed on a replica, and is retried'),
    'values-nulled'(fact) {
      const { definition, column } = fact
      const text = nulledText(definition, column)
      writeWarning('dates', `${definition} ${column}`, text, fact)
    },
    'definition-refused': line(
      'error',
      ({ definition }) => `${definition} cannot be executed on this replica`,
    ),
    'organizations-rejected': line('warn', ORGANIZATIONS_REJECTED),
    'definitions-reloaded': writeReloaded,
    'reload-waits': line('warn', RELOAD_WAITS),
    'process-error'(fact) {
      defect(fact.error)
      writeError('error', fact, 'uncaught error')
    },
    'definitions-loaded': line('info', 'the definitions are loaded'),
    listening: line('info', listeningText),
    draining: line('info', ({ delayMs }) =>
      delayMs > 0 ? 'draining: not ready, still serving' : 'draining: not ready, finishing',
    ),
    stopped: line('info', 'stopped'),
  }

  return {
    observe: (fact: Observation): void => lines[fact.kind]?.(fact as never),
    /** Writes the summary of requests and the numbers of omitted lines. */
    flush: (): void => {
      requests.flush()
      limit.flush()
    },
  }
}

const NO_REPLICA = 'no replica for an execution'
const NOT_COMPLETED = 'an execution did not complete'

const ACCESS_ROW_REJECTED =
  'the access row of an organization is not valid: its keys get 503 access_unavailable'

const ORGANIZATIONS_REJECTED =
  'the list of organizations is not valid: commands cannot use it, or keys of some organizations get 503 access_unavailable'

const TIME_ZONE_DIFFERS =
  'PostgreSQL and Node give a time zone different offsets: dates may be wrong by the difference; use a name such as Europe/Berlin instead of an abbreviation such as CET, and the same tzdata release on both'

const SPOOL_FULL =
  'a large response was refused because its file could not be written: if clients read too many, raise SPOOL_MAX_BYTES, of which one organization may use half, if the disk of TMPDIR has space'

const RECONNECT =
  'Execute this on the primary, then RECONNECT at the pooler, because open connections have the old settings.'

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

/** Found, expected, and the SQL that corrects it. */
export function missingSettingText({ name, found, expected, remedySql }: MissingSetting): string {
  return `${name} is "${found}", expected "${expected}": ${remedySql}`
}

function listeningText({ server, host, port }: Fact<'listening'>): string {
  const name = server === 'api' ? 'the API' : 'operations'
  return `${name} on http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Fields of observations that a line has otherwise, or in its text. */
const NO_FIELDS: ReadonlySet<string> = new Set(['kind', 'origin', 'error', 'check', 'found'])

function fieldsOf(fact: Observation): object {
  const { origin, error } = fact as { readonly origin?: RequestOrigin; readonly error?: unknown }
  const fields: Record<string, unknown> = { requestId: origin?.requestId, err: error }
  for (const [name, value] of Object.entries(fact)) {
    if (NO_FIELDS.has(name)) continue
    fields[name] = name.endsWith('Ms') && typeof value === 'number' ? roundMs(value) : value
  }
  return fields
}
