// A report of one organization, twice: as a client asks for it, and as the gateway asks PostgreSQL.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createSystemClock } from '../../../src/clock.ts'
import { localDate } from '../../../src/definitions/calendar.ts'
import type { Catalog, ReportDefinition } from '../../../src/definitions/definition.ts'
import { loadCatalog } from '../../../src/definitions/load-catalog.ts'
import { makeReportRequest, runOf } from '../../../src/reports/report-request.ts'
import type { Period } from '../../../src/terms.ts'
import { PREFIX } from '../gateway.ts'
import type { BenchOrganization } from '../product.ts'

const SQL = fileURLToPath(new URL('../../../../sql', import.meta.url))

let loaded: Catalog | undefined

/** The shipped definitions, as the gateway loads them. */
export function shippedCatalog(): Catalog {
  loaded ??= loadCatalog(SQL)
  return loaded
}

/** Of `organizations.id`. */
export const ID_TYPE = 'uuid'

/** One instant for all, so that all bind the same. */
const startedAt = createSystemClock()()
const now = (): number => startedAt
const year = Number(localDate(startedAt, 'UTC').slice(0, 4))
const YEAR: Period = { start: `${year}-01-01`, end: `${year + 1}-01-01` }

/** What PostgreSQL is asked. */
export interface Bound {
  readonly text: string
  readonly values: readonly string[]
}

export interface Subject {
  readonly definition: ReportDefinition
  /** Path and query. */
  readonly target: string
  readonly key: string
  readonly bound: Bound
}

/** Of the current year. @throws Error where no shipped report has that code. */
export function subjectOf({ id, timeZone, keys }: BenchOrganization, code: string): Subject {
  const definition = shippedCatalog().reports.get(code)
  if (!definition) throw new Error(`no report is named ${code}`)
  const organization = { id, idType: ID_TYPE, timeZone, entitled: true }
  const { text, values } = runOf(makeReportRequest(organization, definition, YEAR, now), now)
  return { definition, target: targetOf(code, year), key: keys[0] ?? '', bound: { text, values } }
}

/** Of the year before: its answers stay fresh for longer than any measurement. */
export function closedTargetOf(code: string): string {
  return targetOf(code, year - 1)
}

function targetOf(code: string, year: number): string {
  return `${PREFIX}/reports/${code}?from=${year}-01-01&to=${year}-12-31`
}

/** The look-up of one key, as the gateway asks PostgreSQL. */
export function lookupOf(key: string): Bound {
  const hash = createHash('sha256').update(key).digest('hex')
  return { text: shippedCatalog().access.text, values: [String.raw`{"\\x${hash}"}`] }
}
