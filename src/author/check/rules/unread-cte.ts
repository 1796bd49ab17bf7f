import { everyQuery, everySelect, type Select } from '../statement.ts'
import { inEachPart } from './draft.ts'
import type { Rule } from './rule.ts'

export const unreadCte: Rule = {
  id: 'unread-cte',
  level: 'note',
  sentence: 'Nothing reads a CTE.',
  bad: 'with old as (select 1 from returns) select sales.day from sales where day < :period_end',
  good: 'select sales.day from sales where day < :period_end',
  find: draft =>
    inEachPart(draft, ({ query, line }) =>
      everyQuery(query)
        .flatMap(({ ctes }) => ctes)
        .flatMap(cte => {
          // why: a recursive CTE reads itself
          const own = new Set(cte.query && everySelect(cte.query))
          const reads = ({ relations }: Select) => relations.some(one => one.cte === cte)
          const isRead = everySelect(query).some(one => !own.has(one) && reads(one))
          const message = `nothing reads ${cte.name}, expected a from or join of it, or no such part`
          return isRead ? [] : [{ line: line(cte.offset), message }]
        }),
    ),
}
