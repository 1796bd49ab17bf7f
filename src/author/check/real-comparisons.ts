/** Finds comparisons of a real column with a decimal: a real of 0.15 is 0.15000000596. */
import type { Node } from 'libpg-query'
import type { Finding } from '../../definitions/findings.ts'
import { numberOf, stringOf, withoutCasts } from '../sql/expressions.ts'
import type { Select } from '../sql/query.ts'
import type { ColumnTypes } from './column-types.ts'
import { comparedIn } from './compared-values.ts'
import { inEachSelect, type Draft } from './rules/draft.ts'

export function checkRealComparisons(draft: Draft, types: ColumnTypes): Finding[] {
  return inEachSelect(draft, (expressions, select, part) =>
    comparedIn(expressions).flatMap(({ left, right, sign }): Finding[] => {
      const isEquality = ['=', '<>'].includes(sign)
      const isReal = types.columnsOf(left, select).some(({ type }) => type === 'real')
      const isOdd = isInexact(right) || (isEquality && isDecimal(right, select, types))
      if (!isReal || !isOdd) return []
      const written = part.written(left)
      const message = `${written} is real and is compared with ${part.written(right)}, which a real only approximates, expected ${written}::numeric`
      return [{ line: part.line(left), message }]
    }),
  )
}

/** Whether no real equals the number. A bare text literal is read as a real. */
function isInexact(node: Node): boolean {
  const inner = withoutCasts(node)
  const digits = numberOf(inner) ?? (inner === node ? undefined : stringOf(inner))
  return digits !== undefined && Math.fround(Number(digits)) !== Number(digits)
}

function isDecimal(node: Node, select: Select, types: ColumnTypes): boolean {
  return types
    .columnsOf(node, select)
    .some(({ type }) => type.startsWith('numeric') || type === 'double precision')
}
