import { suggest } from '../../../model/spelling.ts'
import { columnOf } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { calls, onEach } from './text-rule.ts'

export const totalOfColumn: Rule = {
  id: 'total-of-column',
  level: 'error',
  sentence: 'Without a database: a total is of no column.',
  bad: 'amount: { title: Amount, type: money, total: sum(amuont) }',
  good: 'amount: { title: Amount, type: money, total: sum(amount) }',
  isForTextAlone: true,
  find: onEach(
    calls('sum', 'avg', 'min', 'max', 'count'),
    ({ name, args }, { draft, part, select: { relations } }) => {
      const column = columnOf(args[0])
      const columns = Object.keys(draft.report?.columns ?? {})
      const isOfReport = relations.every(one => one.query === draft.query)
      const isKnown = column?.qualifier !== undefined || columns.includes(column?.name ?? '')
      if (part === draft.statement || !isOfReport || column === undefined || isKnown)
        return undefined
      return `${name}(${column.name}) is of no column, ${suggest(column.name, columns)}`
    },
  ),
}
