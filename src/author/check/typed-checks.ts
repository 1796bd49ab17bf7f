/** Rules on the types and constraints of the catalog. They read no rows of reports. */
import type { Finding } from '../../definitions/findings.ts'
import { createColumnTypes } from './column-types.ts'
import { checkKnownValues } from './known-values.ts'
import type { Subject } from './subject.ts'
import { checkTextDates } from './text-dates.ts'

export async function checkTyped({
  draft,
  product,
  session,
}: Pick<Subject, 'draft' | 'product' | 'session'>): Promise<Finding[]> {
  const types = createColumnTypes(product.findTable)
  const dates = await checkTextDates(draft, types, session)
  return [
    ...new Map(dates.map(one => [one.line, one])).values(),
    ...checkKnownValues(draft, types, product.values),
  ]
}
