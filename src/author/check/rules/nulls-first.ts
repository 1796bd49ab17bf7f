import { as, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { relationOf } from '../origins.ts'
import { onEach, type Rule } from './rule.ts'

export const nullsFirst: Rule = {
  sentence: 'In descending order null is first, so that the first rows have no value.',
  bad: ', (select s.id from sales as s left join notes as n on n.sale_id = s.id order by n.size desc, s.id limit 1) as top',
  good: ', (select s.id from sales as s left join notes as n on n.sale_id = s.id order by n.size desc nulls last, s.id limit 1) as top',
  find: onEach(
    ({ select }) =>
      (select.node.limitCount === undefined ? [] : (select.node.sortClause ?? [])).flatMap(one => {
        const { node, sortby_dir: direction, sortby_nulls: nulls } = as(one, 'SortBy') ?? {}
        const isPlain = direction === 'SORTBY_DESC' && nulls === 'SORTBY_NULLS_DEFAULT'
        return node !== undefined && isPlain ? [{ node }] : []
      }),
    ({ node }, { select, part }) =>
      nodesOf(node, 'CoalesceExpr').length === 0 &&
      nodesOf(node, 'ColumnRef').some(
        ColumnRef => relationOf({ ColumnRef }, select)?.join === 'left',
      ) &&
      `${part.written(node)} desc begins with null where left join found no row, expected desc nulls last`,
  ),
}
