/**
 * Children that a statement itself joins to their parents, so that others' rows of them cannot reach a result: without a
 * condition of their own the statement returns the same. What is not decided here has the condition, which is slower.
 */
import type { Node } from 'libpg-query'
import { as, namesOf, nodesOf, type NodeOf } from './sql/syntax-tree.ts'
import type { DeclaredTable, Link } from './tenancy.ts'
import { linkConditions } from './tenant-rows.ts'
import type { SqlFault } from './rules/sql-rule.ts'

type Relation = NodeOf<'RangeVar'>
/** Where tables are named, except names of CTEs. */
export type Uses = ReadonlyMap<Relation, DeclaredTable>

/** A condition that each row of `children` meets which reaches a result. */
interface Filter {
  readonly condition: Node | undefined
  /** Whose names it sees. */
  readonly sees: readonly Node[]
  readonly children: readonly Node[]
}

/** Those of which each use is linked: all uses read the same CTE. */
export function linkedChildren(tree: Node, uses: Uses): ReadonlySet<DeclaredTable> {
  const linked = new Set([...uses.values()].filter(({ tenancy }) => tenancy.kind === 'child'))
  if (linked.size === 0) return linked
  const selects = nodesOf(tree, 'SelectStmt')
  const wheres = selects.map(({ fromClause: sees = [], whereClause }): Filter => ({
    condition: whereClause,
    sees,
    children: sees,
  }))
  const joins = selects.flatMap(({ fromClause = [] }) => joinsIn(fromClause))
  const linkedUses = new Set(
    [...wheres, ...joins.flatMap(filterOf)].flatMap(filter => linkedBy(filter, uses)),
  )
  for (const [use, table] of uses) if (!linkedUses.has(use)) linked.delete(table)
  return linked
}

/** Children with a condition of their own beside their parents. @param uses the first of each table */
export function unlinkedNotes(
  uses: ReadonlyMap<DeclaredTable, Relation>,
  linked: ReadonlySet<DeclaredTable>,
): SqlFault[] {
  const names = new Set([...uses.keys()].map(({ name }) => name))
  const notes = [...uses].flatMap(([table, { location: offset = 0 }]) => {
    const { name, tenancy } = table
    if (tenancy.kind !== 'child' || !names.has(tenancy.parent) || linked.has(table)) return []
    const on = linkConditions(tenancy.links, tenancy.parent, `${name}.`).join(' and ')
    const message = `${name} is not joined to ${tenancy.parent} by "${on}" wherever it is read, so each of its rows is looked up there; what helps is this condition in its join, before it is grouped, or one on the period in its sub-select`
    return [{ offset, message }]
  })
  return notes.toSorted((a, b) => a.offset - b.offset)
}

/** Of one level, without those of subqueries. */
function joinsIn(from: readonly Node[]): Array<NodeOf<'JoinExpr'>> {
  return from.flatMap(item => {
    const join = as(item, 'JoinExpr')
    return join === undefined ? [] : [join, ...joinsIn(sidesOf(join))]
  })
}

function sidesOf({ larg, rarg }: NodeOf<'JoinExpr'>): Node[] {
  return [larg, rarg].flatMap(side => side ?? [])
}

/** An outer join returns rows of its other side, whether they meet its condition or not. */
function filterOf(join: NodeOf<'JoinExpr'>): Filter[] {
  const { jointype, rarg, quals: condition } = join
  const sees = sidesOf(join)
  if (jointype === 'JOIN_INNER') return [{ condition, sees, children: sees }]
  return jointype === 'JOIN_LEFT' ? [{ condition, sees, children: [rarg!] }] : []
}

function linkedBy({ condition, sees, children }: Filter, uses: Uses): Relation[] {
  const equal = new Set(conjunctsOf(condition).flatMap(equalColumns))
  if (equal.size === 0) return []
  const seen = relationsIn(sees)
  return relationsIn(children).flatMap(({ alias, use }) => {
    const table = uses.get(use)
    if (table?.tenancy.kind !== 'child') return []
    const { parent, links } = table.tenancy
    const isLinked = seen.some(above => {
      const declared = uses.get(above.use)
      const isEqual = ({ column, key }: Link) =>
        equal.has(equation([alias, column], [above.alias, key])) &&
        // why: without such a column, `a.b` may call a function
        (table.columns?.includes(column) ?? true) &&
        (declared?.columns?.includes(key) ?? true)
      return declared?.name === parent && links.every(isEqual)
    })
    return isLinked ? [use] : []
  })
}

/** Tables that are visible above these joins; those with names for their columns are left out. */
export function relationsIn(from: readonly Node[]): Array<{ alias: string; use: Relation }> {
  return from.flatMap(item => {
    const join = as(item, 'JoinExpr')
    // why: the alias of a join hides the names in it
    if (join !== undefined) return join.alias === undefined ? relationsIn(sidesOf(join)) : []
    const use = as(item, 'RangeVar')
    if (use === undefined || use.alias?.colnames !== undefined) return []
    return [{ alias: use.alias?.aliasname ?? use.relname ?? '', use }]
  })
}

function conjunctsOf(condition: Node | undefined): Node[] {
  const { boolop, args = [] } = as(condition, 'BoolExpr') ?? {}
  if (boolop === 'AND_EXPR') return args.flatMap(conjunctsOf)
  return condition === undefined ? [] : [condition]
}

/** Of `a.x = b.y`, in both orders. */
function equalColumns(condition: Node): string[] {
  const { kind, name, lexpr, rexpr } = as(condition, 'A_Expr') ?? {}
  if (kind !== 'AEXPR_OP' || namesOf(name).join('.') !== '=') return []
  const [left, right] = [lexpr, rexpr].map(side => namesOf(as(side, 'ColumnRef')?.fields))
  if (left?.length !== 2 || right?.length !== 2) return []
  return [equation(left, right), equation(right, left)]
}

/** @param left an alias and a column, as `right` */
function equation(left: readonly string[], right: readonly string[]): string {
  return JSON.stringify([left, right])
}
