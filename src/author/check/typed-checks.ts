/** Rules on the types, constraints and functions of the catalog. They read no rows of reports. */
import { checkCastReals } from './cast-reals.ts'
import { createColumnTypes } from './column-types.ts'
import { checkFloats } from './floats.ts'
import { checkKnownValues } from './known-values.ts'
import { checkProductFunctions } from './product-functions.ts'
import { checkRealComparisons } from './real-comparisons.ts'
import type { Checked, Subject } from './subject.ts'
import { checkTextDates } from './text-dates.ts'

interface TypedFindings extends Checked {
  /** Whether money is computed from floats. */
  readonly hasFloats: boolean
  /** Whether it calls a volatile function or operator: its result differs in any variation. */
  readonly isVolatile: boolean
}

/** @param mistyped columns whose type is known to be wrong */
export async function checkTyped(
  { draft, product, session }: Pick<Subject, 'draft' | 'product' | 'session'>,
  mistyped: ReadonlySet<string>,
): Promise<TypedFindings> {
  const types = createColumnTypes(product.findTable)
  const floats = checkFloats(draft, types, product.functions, mistyped)
  const functions = checkProductFunctions(draft, product.functions)
  const onceALine = [
    floats.findings,
    await checkCastReals(session, floats.castReals),
    checkRealComparisons(draft, types),
    await checkTextDates(draft, types, session),
  ].flatMap(found => Array.from(new Map(found.map(one => [one.line, one])).values()))
  return {
    findings: [
      ...onceALine,
      ...checkKnownValues(draft, types, product.values),
      ...functions.findings,
    ],
    unproved: [...floats.unproved, ...functions.unproved],
    hasFloats: floats.findings.length > 0,
    isVolatile: functions.findings.length > 0,
  }
}
