/** Rules on the types and constraints of the catalog. They read no rows of reports. */
import { createColumnsOf } from './column-types.ts'
import { OF_EXECUTION } from './evidence.ts'
import { findingsOfKind, type KindFinding } from './kinds.ts'
import { checkKnownValues } from './known-values.ts'
import { utcTimestamps } from './rules/utc-timestamp.ts'
import type { Subject } from './subject.ts'
import { checkTextDates } from './text-dates.ts'
import { checkUnreadColumns } from './unread-columns.ts'

export async function checkTyped({
  draft,
  product,
  session,
}: Pick<Subject, 'draft' | 'product' | 'session'>): Promise<KindFinding[]> {
  const columnsOf = createColumnsOf(product.findTable)
  const dates = await checkTextDates(draft, columnsOf, session)
  const oneOfLine = new Map(dates.map(one => [one.line, one]))
  return [
    ...checkUnreadColumns({ draft, product }),
    ...findingsOfKind(OF_EXECUTION.utcTimestamp, utcTimestamps(draft, [draft])),
    ...findingsOfKind(OF_EXECUTION.textDate, [...oneOfLine.values()]),
    ...findingsOfKind(OF_EXECUTION.knownValue, checkKnownValues(draft, columnsOf, product.values)),
  ]
}
