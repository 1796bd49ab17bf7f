// Requests that are measured, and the statements behind them, from the shipped definitions.
import { createHash } from 'node:crypto'
import { addDays, localDate } from '../../src/definitions/calendar.ts'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import type { RawField } from '../../src/model/terms.ts'
import { makeReportRequest, statementOf } from '../../src/serve/report/report-request.ts'
import { ourCatalog } from '../sql/subject.ts'
import type { BenchOrganization } from './product.ts'

export interface LoadRequest {
  /** With its query string. `{day}` stands for another day after all data in each request. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** The statement for PostgreSQL. */
export interface Bound {
  readonly text: string
  readonly values: readonly RawField[]
}

/** The type of `organizations.id`. */
export const ID_TYPE = 'uuid'
/** The shipped definitions, as the gateway loads them. */
export const catalog = ourCatalog()
/** Later than all data; a period that ends so has the same rows as one that ends later. */
export const FIRST_DAY = addDays(localDate(Date.now(), 'UTC'), 100)

/** The register of all operations, and a report of a few rows. */
export type Code = 'operations' | 'income_by_category'

export function definitionOf(code: Code): ReportDefinition {
  const definition = catalog.reports.get(code)
  if (definition === undefined) throw new Error(`no report is named ${code}`)
  return definition
}

/** Requests for the rows since that day. Each is another period, so none is cached. */
export function coldRequests(code: Code, { keys }: BenchOrganization, from: string): LoadRequest[] {
  return keys.map(key => requestOf(code, key, from, '{day}'))
}

/** @param to inclusive */
export function requestOf(code: Code, key: string, from: string, to: string): LoadRequest {
  const path = `/api/public/v1/reports/${code}?from=${from}&to=${to}`
  return { path, headers: { Accept: '*/*', 'User-Agent': 'node', 'X-Api-Key': key } }
}

/** The gateway's statement for that request. */
export function boundOf(code: Code, { id, timeZone }: BenchOrganization, from: string): Bound {
  const organization = { id, idType: ID_TYPE, timeZone, entitled: true } as const
  const period = { start: from, end: addDays(FIRST_DAY, 1) }
  const request = makeReportRequest(organization, definitionOf(code), period, Date.now())
  const { text, values } = statementOf(request)
  return { text, values }
}

/** The gateway's statement for the look-up of one key. */
export function lookupOf(key: string): Bound {
  const hash = createHash('sha256').update(key).digest('hex')
  return { text: catalog.access.text, values: [String.raw`{"\\x${hash}"}`] }
}
