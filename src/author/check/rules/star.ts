import { as, namesOf } from '../../../definitions/sql/syntax-tree.ts'
import { onEach, type Rule } from './rule.ts'

export const star: Rule = {
  sentence: 'A star takes whatever columns a table has.',
  bad: 'select * from sales where day < :period_end',
  good: 'select sales.day from sales where day < :period_end',
  find: onEach(
    ({ select: { items, query } }) =>
      items.flatMap(({ name, expression: node }) =>
        name === undefined && !query.isExists ? [{ node }] : [],
      ),
    ({ node }, { select, part }) => {
      const qualifier = namesOf(as(node, 'ColumnRef')?.fields).at(-1)
      const table = select.relations.find(
        ({ kind, alias }) => kind === 'table' && (qualifier === undefined || qualifier === alias),
      )
      // why: `table x` has a star that is not written
      const written = part.written(node) || `table ${table?.name}`
      return table && `${written} takes whatever columns ${table.name} has, expected them by name`
    },
  ),
}
