/** Which line a fact becomes, and of what level. */
import type { Logger } from 'pino'
import type { Observation, Observe } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { createConnectionLines } from './connection-lines.ts'
import { createNullDateLines } from './null-date-lines.ts'
import { createOutage } from './outage.ts'
import { writePooler } from './pooler-lines.ts'
import { createLinesOfReplicas } from './replica-lines.ts'
import { createWriteOnce } from './write-once.ts'
import type { WriteOnce } from './write-once.ts'

type Fact<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

export interface Lines {
  readonly observe: Observe
  /** Writes how many lines were left out, where that is not written yet. */
  flush(): void
}

export function createLines(
  log: Logger,
  observeRequest: (fact: Fact<'request'>) => void,
  now: Clock,
): Lines {
  const replicas = createLinesOfReplicas(log, now)
  const keys = createOutage(log, now, {
    away: 'keys cannot be looked up, so requests get 503 access_unavailable',
    back: 'keys can be looked up',
  })
  const repeated = createWriteOnce(log, now)
  const { write: writeOnce } = repeated
  const nullDates = createNullDateLines(log, now)
  const connections = createConnectionLines(log, now)

  const observe: Observe = fact => {
    switch (fact.kind) {
      case 'request':
        return observeRequest(fact)
      case 'connection-closed':
        return connections.write(fact.reason)
      case 'key-checked':
      case 'cache-evicted':
      case 'connection-acquired':
      case 'run-spared':
      case 'log-line-dropped':
        return
      case 'run':
        return writeRun(log, fact, writeOnce)
      case 'key-lookup':
        if (fact.error === undefined) return keys.answered()
        return keys.failed(fact.error, { replica: databaseOf(fact.error) })
      case 'access-row-rejected': {
        const { organizationId, error } = fact
        return log.error({ organizationId, err: error }, ACCESS_ROW_REJECTED)
      }
      case 'access-check-failed': {
        const { check, error, replica } = fact
        const text = `${check} of access rows cannot be checked: the last verdicts hold`
        return log.warn({ replica, err: error }, text)
      }
      case 'time-zone-differs': {
        const { timeZone, at, databaseMinutes, runtimeMinutes } = fact
        const fields = { timeZone, at, databaseMinutes, runtimeMinutes }
        return log.warn(fields, TIME_ZONE_DIFFERS)
      }
      case 'pooler-met':
        return writePooler(log, fact.pool, fact.lacking)
      case 'write-privileges': {
        const { found, replica } = fact
        if (found === undefined)
          return log.info({ replica }, 'the role of reports can write nothing')
        return log.warn({ replica }, found)
      }
      case 'connection-lost': {
        const { pool, replica } = fact
        const text = `a connection of the pool ${pool} broke`
        return writeOnce('warn', fact.error, { replica }, text)
      }
      case 'run-retried': {
        const { definition, replica, reason } = fact
        const text = 'a run failed on a replica, and is made once more'
        return writeOnce('warn', fact.error, { definition, replica, reason }, text)
      }
      case 'replica-probe-failed':
      case 'replica-probed':
      case 'circuit':
        return replicas(fact)
      case 'dates-nulled':
        return nullDates.write(fact)
      case 'definition-refused': {
        const { definition, file, line, error } = fact
        return log.error({ file, line, err: error }, `${definition} does not run on this replica`)
      }
      case 'process-error':
        return writeOnce('error', fact.error, {}, 'an error that nothing caught')
      case 'definitions-loaded':
      case 'listening':
      case 'draining':
      case 'stopped':
        return writeStage(log, fact)
    }
  }

  return {
    observe,
    flush() {
      repeated.flush()
      nullDates.flush()
      connections.flush()
    },
  }
}

/** `host:port` of the database that an error is of, where it says so. */
function databaseOf(error: unknown): string | undefined {
  const { replica } = Object(error) as { readonly replica?: unknown }
  return typeof replica === 'string' ? replica : undefined
}

const ACCESS_ROW_REJECTED =
  'the access row of an organization is not valid: its keys get 503 access_unavailable'

const TIME_ZONE_DIFFERS =
  'PostgreSQL and Node give a time zone different offsets: dates may be wrong by the difference; use a name such as Europe/Berlin instead of an abbreviation such as CET, and the same tzdata release on both'

const SPOOL_FULL =
  'an answer was broken off, for the files of slow readers are full: raise SPOOL_MAX_BYTES, of which one organization has half, if the disk of TMPDIR has room'

function writeRun(
  log: Logger,
  { definition, replica, outcome, plan, queueMs, durationMs, rowCount, error }: Fact<'run'>,
  writeOnce: WriteOnce['write'],
): void {
  const fields = { definition, replica, outcome, plan, queueMs, durationMs, rowCount }
  if (outcome === 'error') writeOnce('error', error, fields, `the run of ${definition} failed`)
  else if (outcome === 'unavailable') {
    const text = replica === undefined ? 'a run found no replica' : 'a run did not get to its end'
    writeOnce('warn', error, fields, text)
  } else if (outcome === 'spool_full') writeOnce('warn', error, fields, SPOOL_FULL)
  else if (outcome === 'timeout') log.warn(fields, `the run of ${definition} took too long`)
  else log.debug(fields, `ran ${definition}`)
}

function writeStage(
  log: Logger,
  fact: Fact<'definitions-loaded' | 'listening' | 'draining' | 'stopped'>,
): void {
  const fields = { ...fact, kind: undefined }
  log.info(fields, stageOf(fact))
}

function stageOf(fact: Parameters<typeof writeStage>[1]): string {
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
