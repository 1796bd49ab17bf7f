/** Fingerprints of a report's rows: PostgreSQL executes the report and hashes its rows, and only the hash is sent. */
import { createHash } from 'node:crypto'
import { asOf } from '../../definitions/calendar.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Bytes, Clock, Instant, RawField } from '../../model/terms.ts'
import type { Replicas } from '../replica/attempts.ts'
import { executeForRow } from './execute-for-row.ts'
import { organizationRequest, preparedName } from './report-request.ts'
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
) => Promise<Fingerprint>

/** With its entry in the cache. */
const BYTES: Bytes = 256
const ROUTE = 'fingerprint'
/** Indexes of the columns of `hashStatement`. */
const HASHES = [0, 1, 2] as const

export function createLoadFingerprint(options: {
  readonly replicas: Pick<Replicas, 'begin'>
  readonly now: Clock
}): LoadFingerprint {
  const { replicas, now } = options
  return async (request, signal) => {
    // why: failures are not remembered: the report itself may succeed, since its rows are streamed
    const { value: hashes, dataAsOf } = await executeForRow({
      replicas,
      statement: hashRequest(request, now),
      signal,
      select: () => HASHES,
      make: fields => fields,
      expected: 'one row of hashes',
    })
    return fingerprintOf(request, hashes, dataAsOf)
  }
}

function hashRequest(request: ReportRequest, now: Clock) {
  const { definition, organization } = request
  const statement = organizationRequest(request, ROUTE, now)
  return {
    ...statement,
    text: hashStatement(statement.text),
    preparedName: preparedName({ ...definition, name: `#${definition.name}` }, organization.idType),
  }
}

/**
 * Returns the count of rows, and sums of two hashes of 64 bits, which do not depend on the order.
 * why: a text of a row is unambiguous; an aggregate of all texts could exceed PostgreSQL's 1 GB
 */
function hashStatement(text: string): string {
  return `select count(*)::text as rows,
    coalesce(sum(hashtextextended(report::text, 0)::numeric), 0)::text as first,
    coalesce(sum(hashtextextended(report::text, 1)::numeric), 0)::text as second
from (
${text}
) as report`
}

function fingerprintOf(
  { definition, organization, period, today }: ReportRequest<ReportDefinition>,
  hashes: readonly RawField[],
  dataAsOf: Instant | undefined,
): Fingerprint {
  const { statementHash, statement, columns } = definition
  const { id, timeZone } = organization
  const day = statement.usesToday ? asOf(period, today) : null
  const types = columns.map(({ key, type }) => [key, type])
  const text = JSON.stringify([statementHash, types, id, timeZone, day, hashes])
  return {
    kind: 'fingerprint',
    fingerprint: createHash('sha256').update(text).digest('base64url').slice(0, 22),
    content: hashes.join(' '),
    // why: one row has the totals
    hasRows: Number(hashes[0]) > 1,
    dataAsOf,
    byteCount: BYTES,
  }
}
