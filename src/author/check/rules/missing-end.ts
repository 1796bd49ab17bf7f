import { placeholdersIn } from '../../sql/expressions.ts'
import { everySelect, expressionsOf, type Select } from '../statement.ts'
import { boundsOf, ENDS, isPlain, STARTS, TODAYS } from './bounds.ts'
import type { Rule } from './rule.ts'

export const missingEnd: Rule = {
  id: 'missing-end',
  level: 'warning',
  sentence: 'A start of the period without an end takes in all later rows.',
  bad: 'select sales.day from sales where sales.day >= :period_start',
  good: 'select sales.day from sales where sales.day >= :period_start and sales.day < :period_end',
  find: draft => {
    const selects = everySelect(draft.query)
    return boundsOf(draft).flatMap(bound => {
      const { scope, left, sign, placeholder, node } = bound
      const { select, part } = scope
      const isStart = part === draft.statement && sign === '>=' && isPlain(bound, STARTS)
      // why: `created_at < :period_start` bounds what was closed later
      const isOfOther = boundsOf(draft).some(
        one =>
          one.scope.select === select &&
          one.column !== bound.column &&
          one.sign === '<' &&
          isPlain(one, STARTS),
      )
      const near = [
        select,
        ...readBy(select),
        ...selects.filter(one => readBy(one).includes(select)),
      ]
      if (!isStart || isOfOther || near.some(hasEnd)) return []
      const end = placeholder.replace('start', 'end')
      const written = part.written(left)
      const start = `${written} >= :${placeholder}`
      const message = `${start} without an end, expected ${start} and ${written} < :${end}`
      return [{ line: part.line(node), message }]
    })
  },
}

function readBy({ relations }: Select): Select[] {
  return relations.flatMap(({ query }) => query?.selects ?? [])
}

function hasEnd(select: Select): boolean {
  return placeholdersIn(expressionsOf(select)).some(name => ENDS.has(name) || TODAYS.has(name))
}
