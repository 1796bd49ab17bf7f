import { as } from '../../../definitions/sql/syntax-tree.ts'
import { relationOf } from '../origins.ts'
import { comparisonsIn, conjunctsOf } from '../../sql/expressions.ts'
import { onEach, type Rule } from './rule.ts'

const REJECTS_NULL = /^AEXPR_(?:IN|BETWEEN|I?LIKE|OP_ANY)$/

export const undoneLeftJoin: Rule = {
  sentence: 'A condition in `where` removes the rows that `left join` adds.',
  bad: 'select sales.day from sales left join notes on notes.sale_id = sales.id where notes.kind = 1 and sales.day < :period_end',
  good: 'select sales.day from sales left join notes on notes.sale_id = sales.id and notes.kind = 1 where sales.day < :period_end',
  find: onEach(
    ({ select }) => conjunctsOf(select.node.whereClause).map(node => ({ node })),
    ({ node }, { select, part }) => {
      const { kind = '', lexpr, rexpr } = as(node, 'A_Expr') ?? {}
      const isComparison = comparisonsIn(node).some(one => one.node === as(node, 'A_Expr'))
      const sides = isComparison ? [lexpr, rexpr] : REJECTS_NULL.test(kind) ? [lexpr] : []
      const column = sides.find(side => {
        const relation = relationOf(side, select)
        return relation?.join === 'left' && select.relations.includes(relation)
      })
      return (
        column &&
        `${part.written(column)} in where removes the rows without a match that left join returns, expected it in on, or join`
      )
    },
  ),
}
