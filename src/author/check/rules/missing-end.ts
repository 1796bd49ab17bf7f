import { placeholdersIn } from '../../sql/expressions.ts'
import { everySelect, expressionsOf, type Select } from '../statement.ts'
import { boundsIn, ENDS, isPlain, STARTS, TODAYS } from './bounds.ts'
import { onEach, type Rule } from './rule.ts'

export const missingEnd: Rule = {
  sentence: 'A start of the period without an end takes in all later rows.',
  bad: 'select sales.day from sales where sales.day >= :period_start',
  good: 'select sales.day from sales where sales.day >= :period_start and sales.day < :period_end',
  find: onEach(boundsIn, (bound, { draft, select, part }) => {
    const { left, sign, placeholder, column, scope } = bound
    // why: `created_at < :period_start` bounds what was closed later
    const isOfOther = boundsIn(scope).some(
      one => one.column !== column && one.sign === '<' && isPlain(one, STARTS),
    )
    const readers = everySelect(draft.query).filter(one => readBy(one).includes(select))
    const isStart = part === draft.statement && sign === '>=' && isPlain(bound, STARTS)
    if (!isStart || isOfOther || [select, ...readBy(select), ...readers].some(hasEnd))
      return undefined
    const written = part.written(left)
    const start = `${written} >= :${placeholder}`
    return `${start} without an end, expected ${start} and ${written} < :${placeholder.replace('start', 'end')}`
  }),
}

function readBy({ relations }: Select): Select[] {
  return relations.flatMap(({ query }) => query?.selects ?? [])
}

function hasEnd(select: Select): boolean {
  return placeholdersIn(expressionsOf(select)).some(name => ENDS.has(name) || TODAYS.has(name))
}
