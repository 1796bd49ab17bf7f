import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { placeholderOf } from '../../sql/expressions.ts'
import { everySelect, expressionsOf } from '../statement.ts'
import type { Select } from '../statement.ts'
import { boundsOf, ENDS, isPlain, STARTS, TODAYS } from './bounds.ts'
import type { Rule } from './rule.ts'

export const missingEnd: Rule = {
  id: 'missing-end',
  level: 'warning',
  sentence: 'A start of the period without an end takes in all later rows.',
  bad: 'select sales.day from sales where sales.day >= :period_start',
  good: 'select sales.day from sales where sales.day >= :period_start and sales.day < :period_end',
  find: draft => {
    if (!draft.knowsPlaceholders) return []
    const selects = everySelect(draft.query)
    return boundsOf(draft).flatMap(bound => {
      const { scope, left, sign, placeholder, node } = bound
      const isStart = scope.part === draft.statement && sign === '>=' && isPlain(bound, STARTS)
      // why: `created_at < :period_start` bounds what was closed later
      const isOfOther = boundsOf(draft).some(
        one =>
          one.scope.select === scope.select &&
          one.column !== bound.column &&
          one.sign === '<' &&
          isPlain(one, STARTS),
      )
      if (!isStart || isOfOther || around(scope.select, selects).some(hasEnd)) return []
      const end = placeholder.replace('start', 'end')
      const written = scope.part.written(left)
      const start = `${written} >= :${placeholder}`
      const message = `${start} without an end, expected ${start} and ${written} < :${end}`
      return [{ line: scope.part.line(node), message }]
    })
  },
}

/** The select, those that it reads, those that read it, and those in the conditions of any. */
function around(select: Select, all: readonly Select[]): Select[] {
  const found = new Set<Select>()
  const down = (one: Select) => {
    if (found.has(one)) return
    found.add(one)
    reads(one).forEach(down)
  }
  const up = (one: Select) => {
    if (found.has(one)) return
    found.add(one)
    all.filter(other => reads(other).includes(one)).forEach(up)
  }
  up(select)
  found.delete(select)
  down(select)
  return [...found]
}

/** The selects that one reads, and those in its conditions. */
function reads(one: Select): Select[] {
  return [
    ...one.relations.flatMap(({ query }) => query?.selects ?? []),
    ...one.query.inner.filter(({ outer }) => outer === one).flatMap(({ selects }) => selects),
  ]
}

function hasEnd(select: Select): boolean {
  return nodesOf(expressionsOf(select), 'ParamRef', { subqueries: false }).some(ParamRef => {
    const name = placeholderOf({ ParamRef }) ?? ''
    return ENDS.has(name) || TODAYS.has(name)
  })
}
