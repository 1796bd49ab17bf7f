/** Rules on joins: each CTE is read, and no row is lost. */
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { sourceOf } from '../../sql/columns.ts'
import { comparisonsIn, conjunctsOf } from '../../sql/expressions.ts'
import { everyQuery } from '../../sql/query.ts'
import { inEachPart } from './draft.ts'
import { onEach, type TextRule } from './text-rule.ts'

/** A common table expression that is not read. */
export const readCtes: TextRule = draft =>
  inEachPart(draft, part => {
    const queries = everyQuery(part.query)
    const relations = queries.flatMap(({ selects }) => selects).flatMap(select => select.relations)
    const read = new Set(relations.map(({ query }) => query))
    return queries.flatMap(({ ctes }) =>
      ctes.flatMap(({ name, query, offset }) => {
        const message = `nothing reads ${name}, expected a from or join of it, or no such part`
        return query === undefined || read.has(query) ? [] : [{ line: part.line(offset), message }]
      }),
    )
  })

const REJECTS_NULL = /^AEXPR_(?:IN|BETWEEN|I?LIKE|OP_ANY)$/

/** A condition in `where` that removes the rows that `left join` adds. */
export const leftJoins = onEach(
  ({ select }) => conjunctsOf(select.node.whereClause).map(node => ({ node })),
  ({ node }, { select, part }) => {
    const { kind = '', lexpr, rexpr } = as(node, 'A_Expr') ?? {}
    const isComparison = comparisonsIn(node).some(one => one.node === as(node, 'A_Expr'))
    const sides = isComparison ? [lexpr, rexpr] : REJECTS_NULL.test(kind) ? [lexpr] : []
    const column = sides.find(side => {
      const relation = sourceOf(side, select)?.relation
      return relation?.join === 'left' && select.relations.includes(relation)
    })
    return (
      column &&
      `${part.written(column)} in where removes the rows without a match that left join returns, expected it in on, or join`
    )
  },
)
