import { as } from '../../../definitions/sql/syntax-tree.ts'
import { isNull, withoutCasts } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { nodes, onEach } from './text-rule.ts'

export const constantFirst: Rule = {
  id: 'constant-first',
  level: 'warning',
  sentence: '`coalesce` with a constant first is always the constant.',
  bad: ", coalesce('none', sales.note) as note",
  good: ", coalesce(sales.note, 'none') as note",
  find: onEach(nodes('CoalesceExpr'), ({ node: { args = [] } }, { part }) => {
    const constant = withoutCasts(args[0])
    const isConstant = as(constant, 'A_Const') !== undefined && !isNull(constant)
    const first = part.written(args[0])
    return (
      isConstant &&
      args.length > 1 &&
      `coalesce(${first}, ...) is always ${first}, expected the constant last`
    )
  }),
}
