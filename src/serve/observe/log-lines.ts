/** Turns observations into log lines: their texts and levels. */
import type { Logger } from 'pino'
import type { CloseReason, MissingSetting, Observation, Observe } from '../../model/observation.ts'
import { defect } from './error-fields.ts'
import { createLineLimit } from './line-limit.ts'
import type { LineLimit } from './line-limit.ts'
import { createKeyLines, createReplicaLines } from './database-lines.ts'
import { createRequestLines } from './request-lines.ts'
import type { RequestLinesOptions } from './request-lines.ts'

type Fact<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

interface LogLines {
  readonly observe: Observe
  /** Writes the summary of requests and the numbers of omitted lines. */
  readonly flush: () => void
}

export function createLogLines(log: Logger, options: RequestLinesOptions): LogLines {
  const { now } = options
  const requests = createRequestLines(log, options)
  const writeReplica = createReplicaLines(log, now)
  const writeKeyLookup = createKeyLines(log, now)
  const limit = createLineLimit(log, now)

  const observe: Observe = fact => {
    switch (fact.kind) {
      case 'request':
        return requests.observe(fact)
      case 'connection-acquired':
        return requests.noteBackend(fact)
      case 'server-certificate':
      case 'key-checked':
      case 'cache-evicted':
      case 'execution-spared':
      case 'log-line-dropped':
        return
      case 'connection-closed':
        return writeClosed(limit, fact.reason)
      case 'execution':
        return writeExecution(log, limit, fact)
      case 'key-lookup':
        return writeKeyLookup(fact)
      case 'access-row-rejected': {
        const { organizationId, error } = fact
        return log.error({ organizationId, err: error }, ACCESS_ROW_REJECTED)
      }
      case 'access-check-failed': {
        const { check, error, replica } = fact
        const text = `${check} of access rows cannot be checked: the last verdicts stay valid`
        return log.warn({ replica, err: error }, text)
      }
      case 'time-zone-differs': {
        const { kind: _, ...fields } = fact
        return log.warn(fields, TIME_ZONE_DIFFERS)
      }
      case 'pooler-detected':
        return writePooler(log, fact)
      case 'connection-limit-low': {
        const { pool, found, replica } = fact
        return log.warn({ pool, replica }, found)
      }
      case 'write-privileges': {
        const { found, replica } = fact
        if (found !== undefined) return log.warn({ replica }, found)
        return log.info({ replica }, 'the role of reports has no write privileges')
      }
      case 'connection-lost': {
        const { pool, replica, error } = fact
        return limit.writeError(
          'warn',
          error,
          { replica },
          `a connection of the pool ${pool} broke`,
        )
      }
      case 'execution-retried': {
        const { definition, replica, reason, error, origin } = fact
        const fields = { requestId: origin?.requestId, definition, replica, reason }
        return limit.writeError('warn', error, fields, EXECUTION_RETRIED)
      }
      case 'replica-probe-failed':
      case 'replica-probed':
      case 'circuit':
        return writeReplica(fact)
      case 'values-nulled':
        return writeNulledValues(limit, fact)
      case 'definition-refused': {
        const { definition, file, line, error } = fact
        return log.error(
          { file, line, err: error },
          `${definition} cannot be executed on this replica`,
        )
      }
      case 'organizations-rejected': {
        const { file, line, error } = fact
        return log.warn({ file, line, err: error }, ORGANIZATIONS_REJECTED)
      }
      case 'definitions-reloaded':
        return writeReloaded(log, fact)
      case 'reload-waits':
        return log.warn(
          'no replica is available: changed definitions are used once one has validated them',
        )
      case 'process-error':
        return limit.writeError('error', defect(fact.error), {}, 'uncaught error')
      case 'definitions-loaded':
      case 'listening':
      case 'draining':
      case 'stopped': {
        const { kind: _, ...fields } = fact
        return log.info(fields, stageOf(fact))
      }
    }
  }

  return {
    observe,
    flush() {
      requests.flush()
      limit.flush()
    },
  }
}

const ACCESS_ROW_REJECTED =
  'the access row of an organization is not valid: its keys get 503 access_unavailable'

const ORGANIZATIONS_REJECTED =
  'the list of organizations is not valid: commands cannot use it, or keys of some organizations get 503 access_unavailable'

const TIME_ZONE_DIFFERS =
  'PostgreSQL and Node give a time zone different offsets: dates may be wrong by the difference; use a name such as Europe/Berlin instead of an abbreviation such as CET, and the same tzdata release on both'

const EXECUTION_RETRIED = 'an execution failed on a replica, and is retried'

const SPOOL_FULL =
  'a response was aborted because the spill files of slow clients are full: raise SPOOL_MAX_BYTES, of which one organization may use half, if the disk of TMPDIR has space'

const NULLED_VALUES =
  'lines: NaN, infinity or dates outside the years 0001-9999, which are sent as null'

const CLOSED: Readonly<Record<CloseReason, string>> = {
  limit: 'a connection was closed: MAX_CONNECTIONS are open',
  unauthorized:
    'a connection was closed after 20 responses 401 in a row; if it is of a proxy, name the proxy in TRUST_PROXY',
  pipelined: 'a connection was closed: too many pipelined requests waited',
}

function writeClosed(limit: LineLimit, reason: CloseReason): void {
  const level = 'warn'
  const fields = { reason }
  const omitted = { level, fields, text: 'connections were closed' } as const
  // why: a separate owner, since errors can use up the keys of lines without an owner
  const owner = 'connections'
  limit.write({ key: reason, owner, level, fields: () => fields, text: CLOSED[reason], omitted })
}

function writeNulledValues(
  limit: LineLimit,
  { definition, column, valueCount }: Fact<'values-nulled'>,
): void {
  const fields = { definition, column }
  limit.write({
    key: `${definition} ${column}`,
    owner: 'dates',
    level: 'warn',
    fields: () => ({ ...fields, valueCount }),
    text: nulledText(definition, column),
    omitted: { level: 'warn', fields, text: NULLED_VALUES },
  })
}

/** Also used by `svodka run`. */
export function nulledText(definition: string, column: string): string {
  return `the column ${column} of ${definition} has NaN, infinity or dates outside the years 0001-9999, which are sent as null`
}

function writeExecution(log: Logger, limit: LineLimit, fact: Fact<'execution'>): void {
  const { kind: _, error, origin, ...rest } = fact
  const fields = { requestId: origin?.requestId, ...rest }
  const { definition, outcome, replica } = fact
  if (outcome === 'error') {
    limit.writeError('error', error, fields, `the execution of ${definition} failed`)
  } else if (outcome === 'unavailable') {
    const text =
      replica === undefined ? 'no replica for an execution' : 'an execution did not complete'
    limit.writeError('warn', error, fields, text)
  } else if (outcome === 'spool_full') limit.writeError('warn', error, fields, SPOOL_FULL)
  else if (outcome === 'timeout') log.warn(fields, `the execution of ${definition} timed out`)
  else log.debug(fields, `executed ${definition}`)
}

function writePooler(log: Logger, { pool, missingSettings }: Fact<'pooler-detected'>): void {
  const found = `a pooler is between the pool ${pool} and its server`
  if (missingSettings.length === 0) {
    return log.info({ pool }, `${found}: nothing is prepared, and its role has the settings`)
  }
  const settings = missingSettings.map(missingSettingText).join(' ')
  const remedy = `${settings} Execute this on the primary, then RECONNECT at the pooler, because open connections have the old settings.`
  if (missingSettings.some(({ affectsResults }) => affectsResults)) {
    const refused = 'so its connections are refused, because results would be wrong'
    return log.error({ pool }, `${found}, and its role lacks settings, ${refused}. ${remedy}`)
  }
  log.warn({ pool }, `${found}, and its role lacks settings. ${remedy}`)
}

/** Found, expected, and the SQL that corrects it. */
export function missingSettingText({ name, found, expected, remedySql }: MissingSetting): string {
  return `${name} is "${found}", expected "${expected}": ${remedySql}`
}

function writeReloaded(log: Logger, fact: Fact<'definitions-reloaded'>): void {
  const { findings, added, changed, removed } = fact
  for (const { file, line, message } of findings) log.error({ file, line }, message)
  if (findings.length > 0) {
    const findingCount = findings.length
    return log.error(
      { findingCount },
      'the definitions are not reloaded: the previous ones are used',
    )
  }
  const isSame = added.length + changed.length + removed.length === 0
  if (isSame) log.info('the definitions are reloaded: no file has changed')
  else log.info({ added, changed, removed }, 'the definitions are reloaded')
}

function stageOf(fact: Fact<'definitions-loaded' | 'listening' | 'draining' | 'stopped'>): string {
  if (fact.kind === 'definitions-loaded') return 'the definitions are loaded'
  if (fact.kind === 'draining') {
    return fact.delayMs > 0
      ? 'draining: not ready, still serving'
      : 'draining: not ready, finishing'
  }
  if (fact.kind === 'stopped') return 'stopped'
  const host = fact.host.includes(':') ? `[${fact.host}]` : fact.host
  return `${fact.server === 'api' ? 'the API' : 'operations'} on http://${host}:${fact.port}`
}
