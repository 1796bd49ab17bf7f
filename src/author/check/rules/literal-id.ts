import type { Node } from 'libpg-query'
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
import { onEach, type Rule } from './rule.ts'
import type { Scope } from './draft.ts'

export const literalId: Rule = {
  sentence: 'A literal id is that of one organization, or of a row of it.',
  bad: "and sales.shop_id = '5d0a0000-0000-4000-8000-000000000001'",
  good: 'and sales.shop_id = shops.id',
  find: onEach(
    scope => [
      ...nodesOf(scope.expressions, 'A_Const', { subqueries: false }).flatMap(A_Const =>
        UUID.test(stringOf({ A_Const }) ?? '') ? [{ node: { A_Const } }] : [],
      ),
      ...equalitiesIn(scope.expressions).flatMap(({ left, node: value }) => {
        const node = withoutCasts(value)
        const isLiteral = (stringOf(node) ?? numberOf(node)) !== undefined
        return isLiteral && isOrganization(left, scope) ? [{ node }] : []
      }),
    ],
    ({ node }, { part }) =>
      `${part.written(node)} is one organization's, or a row of it, expected :organization_id or a join`,
  ),
}

/** As `sales.shop_id` with `sales: shop_id` in `tenancy.yaml`. */
function isOrganization(node: Node, { draft, select }: Scope): boolean {
  const [origin, within] = originOf(node, select)
  const tenancy = draft.tenancy.tables.get(relationOf(origin, within)?.name ?? '')?.tenancy
  return tenancy?.kind === 'tenant' && tenancy.column === columnOf(origin)?.name
}
