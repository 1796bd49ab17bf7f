/** Groups the relations of a select by the conditions that relate them. */
import type { Node } from 'libpg-query'
import { as, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { sourceOf } from './columns.ts'
import { columnOf, comparisonsIn, conjunctsOf, placeholderOf } from './expressions.ts'
import type { TableColumns } from './outputs.ts'
import { expressionsOf, outerRelations, scopesOf, type Query, type Select } from './query.ts'
import { isNatural, type Relation } from './relations.ts'

/** Columns that are compared with the organization's id. */
export function organizationColumns({ node }: Query): Set<string> {
  return new Set(
    comparisonsIn(node).flatMap(({ left, right }) =>
      placeholderOf(right) === 'organization_id' ? (columnOf(left)?.name ?? []) : [],
    ),
  )
}

/**
 * Groups of relations that conditions connect; no condition connects two groups. Conditions on the organization do not
 * count. If the text does not show the relation of a column, all relations count as connected.
 */
export function tiesOf(
  select: Select,
  tenancy: ReadonlySet<string>,
  tableColumns?: TableColumns,
): Array<Set<Relation>> {
  const { relations, node, query } = select
  const scopes = scopesOf(query)
  const around = outerRelations(query)

  /** Relations of this select; outer relations count as one, since all conditions refer to the same outer row. */
  const relationsIn = (root: unknown): Relation[] => {
    const sources = nodesOf(root, 'ColumnRef').map(ColumnRef =>
      sourceOf({ ColumnRef }, scopes.get(ColumnRef) ?? select, tableColumns),
    )
    if (sources.includes(undefined)) return [...relations]
    const all = sources.flatMap(source => source?.relation ?? [])
    const outer = all.some(one => around.includes(one)) ? around.slice(0, 1) : []
    return [...all.filter(one => relations.includes(one)), ...outer]
  }
  const tying = (condition: Node | undefined, joined: readonly Relation[] = []) =>
    conjunctsOf(condition).flatMap(one => {
      const tie = isTenancy(one, tenancy) ? [] : relationsIn(one)
      return tie.length === 0 ? [] : [joined.concat(tie)]
    })
  const ties = [
    ...tying(node.whereClause),
    ...tying(node.havingClause),
    // why: `left join x on others.is_total` states which rows x is joined to
    ...relations.flatMap(relation => tying(relation.on, [relation])),
    ...nodesOf(expressionsOf(select), 'SubLink', { subqueries: false }).map(relationsIn),
    ...relations.flatMap((relation, at) => {
      // why: a lateral subquery or a function's arguments read other relations
      const read = [relation.query?.outer === select ? relation.query.node : [], relation.call]
      const shared = sharesNames(relation, tenancy) ? relations.slice(0, at + 1) : []
      return [[relation, ...relationsIn(read)], shared]
    }),
  ]
  let groups: Array<Set<Relation>> = []
  for (const tie of ties) {
    const overlapping = groups.filter(group => tie.some(relation => group.has(relation)))
    const merged = new Set(overlapping.flatMap(group => Array.from(group)).concat(tie))
    groups = groups.filter(group => !overlapping.includes(group)).concat([merged])
  }
  return groups
}

/** `a.organization_id = b.organization_id`, or a comparison with the placeholder. */
function isTenancy(condition: Node, tenancy: ReadonlySet<string>): boolean {
  const { lexpr, rexpr } = as(condition, 'A_Expr') ?? {}
  if ([lexpr, rexpr].some(side => placeholderOf(side) === 'organization_id')) return true
  const names = [columnOf(lexpr)?.name, columnOf(rexpr)?.name]
  return names.every(name => name !== undefined && name !== 'id' && tenancy.has(name))
}

/** Whether it is joined by `using (...)` or `natural` on more than the organization. */
function sharesNames(relation: Relation, tenancy: ReadonlySet<string>): boolean {
  return isNatural(relation) || relation.using.some(name => !tenancy.has(name))
}
