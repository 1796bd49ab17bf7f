import { everyQuery, everySelect } from '../../sql/query.ts'
import { inEachPart } from './draft.ts'
import type { Rule } from './rule.ts'

export const unreadCte: Rule = {
  id: 'unread-cte',
  level: 'note',
  sentence: 'Nothing reads a CTE.',
  bad: 'with old as (select 1 from returns) select sales.day from sales where day < :period_end',
  good: 'select sales.day from sales where day < :period_end',
  find: draft =>
    inEachPart(draft, ({ query, line }) => {
      const relations = everySelect(query).flatMap(select => select.relations)
      const read = new Set(relations.map(one => one.query))
      return everyQuery(query).flatMap(({ ctes }) =>
        ctes.flatMap(cte => {
          const message = `nothing reads ${cte.name}, expected a from or join of it, or no such part`
          const isRead = cte.query === undefined || read.has(cte.query)
          return isRead ? [] : [{ line: line(cte.offset), message }]
        }),
      )
    }),
}
