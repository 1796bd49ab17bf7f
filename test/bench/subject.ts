// A report of one organization as a client's request and as the gateway's statement.
import { createHash } from 'node:crypto'
import { createSystemClock } from '../../src/model/clock.ts'
import { addDays, localDate } from '../../src/definitions/calendar.ts'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { makeReportRequest, statementOf } from '../../src/serve/body/report-request.ts'
import { ourCatalog } from '../sql/subject.ts'
import type { LoadRequest } from './ask.ts'
import type { BenchOrganization } from './product.ts'

/** The type of `organizations.id`. */
export const ID_TYPE = 'uuid'

/** The shipped definitions, as the gateway loads them. */
export const catalog = ourCatalog()

/** One instant for all subjects, so that they bind the same values. */
const startedAt = createSystemClock()()
const now = (): number => startedAt
export const YEAR = Number(localDate(startedAt, 'UTC').slice(0, 4))

/** The statement for PostgreSQL. */
export interface Bound {
  readonly text: string
  readonly values: readonly string[]
}

export interface Subject {
  readonly definition: ReportDefinition
  readonly bound: Bound
  /** Headers that allow a cached response. */
  readonly cached: LoadRequest
  /** Headers that require an execution. */
  readonly fresh: LoadRequest
}

/**
 * The period is this year and `daysMore` days after it; `keyNumber` selects one of the organization's keys.
 * @throws Error if no shipped report has that code.
 */
export function subjectOf(
  { id, timeZone, keys }: BenchOrganization,
  code: string,
  { daysMore = 0, keyNumber = 0 } = {},
): Subject {
  const definition = catalog.reports.get(code)
  if (definition === undefined) throw new Error(`no report is named ${code}`)
  const last = addDays(`${YEAR}-12-31`, daysMore)
  const period = { start: `${YEAR}-01-01`, end: addDays(last, 1) }
  const organization = { id, idType: ID_TYPE, timeZone, entitled: true } as const
  const { text, values } = statementOf(
    makeReportRequest(organization, definition, period, now),
    now,
  )
  const cached = requestOf(pathOf(code, period.start, last), keys[keyNumber] ?? '')
  return { definition, bound: { text, values }, cached, fresh: freshly(cached) }
}

/** @param to inclusive */
export function pathOf(report: string, from: string, to: string): string {
  return `/api/public/v1/reports/${report}?from=${from}&to=${to}`
}

/** The path for a year that has ended, whose responses stay fresh for longer than any measurement takes. */
export function closedYear(code: string, yearsBack = 1): string {
  return pathOf(code, `${YEAR - yearsBack}-01-01`, `${YEAR - yearsBack}-12-31`)
}

/** Adds the usual headers of clients. */
export function requestOf(
  path: string,
  key: string,
  more: LoadRequest['headers'] = {},
): LoadRequest {
  return { path, headers: { Accept: '*/*', 'User-Agent': 'node', 'X-Api-Key': key, ...more } }
}

export function freshly({ path, headers }: LoadRequest): LoadRequest {
  return { path, headers: { ...headers, 'Cache-Control': 'no-cache' } }
}

/** The gateway's statement for the look-up of one key. */
export function lookupOf(key: string): Bound {
  const hash = createHash('sha256').update(key).digest('hex')
  return { text: catalog.access.text, values: [String.raw`{"\\x${hash}"}`] }
}
