/** Rules on the types, constraints and functions of the catalog. They read no rows of reports. */
import { createColumnTypes } from './column-types.ts'
import { checkKnownValues } from './known-values.ts'
import { checkProductFunctions } from './product-functions.ts'
import type { Checked, Subject } from './subject.ts'
import { checkTextDates } from './text-dates.ts'

interface TypedFindings extends Checked {
  /** Whether it calls a volatile function or operator: its result differs in any variation. */
  readonly isVolatile: boolean
}

export async function checkTyped({
  draft,
  product,
  session,
}: Pick<Subject, 'draft' | 'product' | 'session'>): Promise<TypedFindings> {
  const types = createColumnTypes(product.findTable)
  const functions = checkProductFunctions(draft, product.functions)
  const dates = await checkTextDates(draft, types, session)
  return {
    findings: [
      ...new Map(dates.map(one => [one.line, one])).values(),
      ...checkKnownValues(draft, types, product.values),
      ...functions.findings,
    ],
    unproved: functions.unproved,
    isVolatile: functions.findings.length > 0,
  }
}
