/**
 * Fingerprints of a report's rows. If the definition has a fingerprint of its own, that is executed for all months
 * together; else PostgreSQL executes the report and hashes its rows. Only hashes are sent.
 */
import { createHash } from 'node:crypto'
import { asOf } from '../../definitions/calendar.ts'
import type { ReportDefinition, Statement } from '../../definitions/definition.ts'
import type { FactHash } from '../../definitions/fingerprint.ts'
import type { Bytes, Clock, Instant, Period } from '../../model/terms.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import type { Replicas } from '../replica/attempts.ts'
import type { OrganizationRequest } from '../replica/statement-request.ts'
import { executeForRow } from './execute-for-row.ts'
import { ofStatement, organizationRequest, preparedName } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'

export interface Fingerprint {
  readonly kind: 'fingerprint'
  /** Equal fingerprints of equal periods mean equal rows and totals. */
  readonly fingerprint: string
  /** Equal for equal rows of any period. */
  readonly content: string
  readonly hasRows: boolean
  readonly dataAsOf: Instant | undefined
  readonly byteCount: Bytes
}

/** @throws as `LoadReport` */
export type LoadFingerprint = (
  request: ReportRequest<ReportDefinition>,
  signal: AbortSignal,
  origin?: RequestOrigin,
) => Promise<Fingerprint>

/** With its entry in the cache. */
const BYTES: Bytes = 256
const ROUTE = 'fingerprint'

export function createLoadFingerprint(options: {
  readonly replicas: Pick<Replicas, 'begin'>
  readonly now: Clock
}): LoadFingerprint {
  const { replicas, now } = options
  return async (request, signal, origin) => {
    const { fingerprint: own } = request.definition
    const statement =
      own === undefined ? hashRequest(request, now) : ownRequest(request, own.alone, now)
    // why: failures are not remembered: the report itself may succeed, since its rows are streamed
    const { value: hashes, dataAsOf } = await executeForRow({
      replicas,
      statement: { ...statement, origin },
      signal,
      select: fields => [...fields.keys()],
      make: fields => fields,
      expected: 'one row of hashes',
    })
    const content = hashes.join(' ')
    return {
      kind: 'fingerprint',
      fingerprint: fingerprintOf(request, content),
      content,
      // why: one row has the totals
      hasRows: own === undefined ? Number(hashes[0]) > 1 : content !== '[]',
      dataAsOf,
      byteCount: BYTES + content.length,
    }
  }
}

function hashRequest(request: ReportRequest, now: Clock): OrganizationRequest {
  const statement = organizationRequest(request, ROUTE, now)
  return { ...statement, text: hashStatement(statement.text), preparedName: nameOf(request) }
}

function ownRequest(request: ReportRequest, own: Statement, now: Clock): OrganizationRequest {
  return {
    ...organizationRequest(request, ROUTE, now),
    ...ofStatement(own, request, now),
    preparedName: nameOf(request),
  }
}

function nameOf({ definition, organization }: ReportRequest): string {
  return preparedName({ ...definition, name: `#${definition.name}` }, organization.idType)
}

/**
 * Returns the count of rows, and sums of two hashes of 64 bits, which do not depend on the order.
 * why: a text of a row is unambiguous; an aggregate of all texts could exceed PostgreSQL's 1 GB
 */
function hashStatement(text: string): string {
  return `select count(*)::text as rows,
    coalesce(sum(hashtextextended(report::text, 0)), 0)::text as first,
    coalesce(sum(hashtextextended(report::text, 1)), 0)::text as second
from (
${text}
) as report`
}

/** The fingerprint of a report whose rows have this content. */
export function fingerprintOf(
  { definition, organization, period, today }: ReportRequest<ReportDefinition>,
  content: string,
): string {
  const { statementHash, statement, columns } = definition
  const { id, timeZone } = organization
  const day = statement.usesToday ? asOf(period, today) : null
  const types = columns.map(({ key, type }) => [key, type])
  return hashOf([statementHash, types, id, timeZone, day, content])
}

const MONTH = /^\d{4}-\d\d$/

/**
 * The content of each month, from that of the definition's own fingerprint over a period that has the months. It is
 * equal for equal rows, whatever that period was.
 * @param months in order
 */
export function monthContents(content: string, months: readonly Period[]): string[] {
  const { dated, common } = factsOf(content)
  const history = dated.filter(([, isHistory]) => isHistory)
  const own = new Map(
    dated.flatMap(([month, isHistory, hash]) => (isHistory ? [] : [[month, hash]])),
  )
  let past = ''
  let next = 0
  return months.map(({ start }) => {
    const month = start.slice(0, 7)
    for (; next < history.length && history[next]![0]! <= month; next += 1) {
      past = hashOf([past, history[next]])
    }
    return JSON.stringify([common, past, own.get(month) ?? null])
  })
}

/** The first month that has facts: `2026-01`; undefined if there is none. */
export function firstMonth(content: string): string | undefined {
  return factsOf(content).dated[0]?.[0] ?? undefined
}

function isDated([month]: FactHash): boolean {
  return month !== null && MONTH.test(month)
}

/** `dated`: by month. */
function factsOf(content: string): { dated: readonly FactHash[]; common: readonly FactHash[] } {
  const facts = JSON.parse(content) as FactHash[]
  // why: a date such as -infinity has no month, so it concerns all
  return { dated: facts.filter(isDated), common: facts.filter(fact => !isDated(fact)) }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}
