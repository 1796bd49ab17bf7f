import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { originOf, relationOf } from '../origins.ts'
import {
  columnOf,
  equalitiesIn,
  numberOf,
  stringOf,
  UUID,
  withoutCasts,
} from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { onEach, type Scope } from './text-rule.ts'

export const literalId: Rule = {
  id: 'literal-id',
  level: 'warning',
  sentence: 'A literal id is that of one organization, or of a row of it.',
  bad: "and sales.shop_id = '5d0a0000-0000-4000-8000-000000000001'",
  good: 'and sales.shop_id = shops.id',
  find: onEach(
    scope => [...uuids(scope), ...organizations(scope)],
    ({ node }, { part }) =>
      `${part.written(node)} is one organization's, or a row of it, expected :organization_id or a join`,
  ),
}

function uuids({ expressions }: Scope) {
  return nodesOf(expressions, 'A_Const', { subqueries: false }).flatMap(A_Const =>
    UUID.test(stringOf({ A_Const }) ?? '') ? [{ node: { A_Const } }] : [],
  )
}

/** `sales.shop_id = 'moscow'` with `sales: shop_id` in `tenancy.yaml` */
function organizations({ draft, expressions, select }: Scope) {
  return equalitiesIn(expressions).flatMap(({ left, node: value }) => {
    const [origin, within] = originOf(left, select)
    const tenancy = draft.tenancy.tables.get(relationOf(origin, within)?.name ?? '')?.tenancy
    const isId = tenancy?.kind === 'tenant' && tenancy.column === columnOf(origin)?.name
    const node = withoutCasts(value)
    const isLiteral = (stringOf(node) ?? numberOf(node)) !== undefined
    return isId && node !== undefined && isLiteral ? [{ node }] : []
  })
}
