/** Fingerprints of a report's rows: PostgreSQL executes the report and hashes its rows, and only the hash is sent. */
import { createHash } from 'node:crypto'
import { asOf } from '../../definitions/calendar.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { rawField } from '../../model/row-bytes.ts'
import { createRowReader, forEachRow } from '../../model/row-reader.ts'
import type { Bytes, Clock, Instant, RawField } from '../../model/terms.ts'
import type { Replicas } from '../replica/attempts.ts'
import { ResultColumnsError } from '../replica/column-types.ts'
import type { Execution } from '../replica/execution.ts'
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

export function createLoadFingerprint(options: {
  readonly replicas: Pick<Replicas, 'begin'>
  readonly now: Clock
}): LoadFingerprint {
  const { replicas, now } = options
  return async (request, signal) => {
    // why: failures are not remembered: the report itself may succeed, since its rows are streamed
    const attempts = replicas.begin(hashRequest(request, now), signal)
    for (;;) {
      const execution = await attempts.next()
      try {
        const hashes = await readHashes(execution)
        attempts.succeed(1)
        return fingerprintOf(request, hashes, execution.dataAsOf)
      } catch (error) {
        await attempts.fail(error, 0)
      }
    }
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

async function readHashes({ batches }: Execution): Promise<readonly RawField[]> {
  const reader = createRowReader()
  const rows: RawField[][] = []
  for await (const batch of batches) {
    forEachRow(reader, batch, row => void rows.push([0, 1, 2].map(index => rawField(row, index))))
  }
  const [hashes] = rows
  if (hashes !== undefined) return hashes
  throw new ResultColumnsError('found no row of hashes, expected one')
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
