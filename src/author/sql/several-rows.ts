/** Proves that a join matches several rows: no key allows only one, and no condition may select one. */
import type { Node } from 'libpg-query'
import { as, namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import type { FindTable } from './catalog-tables.ts'
import { numberOf } from './expressions.ts'
import {
  conditionsOf,
  equalitiesIn,
  fixedInside,
  fixedNames,
  sourcesIn,
  type FixedColumns,
  type SelectScope,
} from './fixed-columns.ts'
import { isNatural, type Relation, type Select } from './relations.ts'

/** A select with joins, and the aggregate in it. */
export interface Joined extends SelectScope {
  /** Expressions that have one value per group. */
  readonly groups: readonly Node[]
  /** The filter of the aggregate. */
  readonly filter: readonly Node[]
  /** Names of columns that the statement compares with the organization. */
  readonly bound: ReadonlySet<string>
  readonly findTable: FindTable
}

/** A table that may have several rows for one value of these columns. */
export interface SeveralRows {
  readonly table: Relation
  readonly columns: readonly string[]
}

/** Undefined if it cannot be proved. */
export function severalRows(
  relation: Relation,
  fixed: FixedColumns,
  joined: Joined,
): SeveralRows | undefined {
  const sources = sourcesIn(joined.groups, joined)
  // why: the text does not show the purpose of grouping by columns of the other side
  const isOfRows = sources.every(source => source && fixed.get(source.relation) === 'row')
  if (!isOfRows || !mayMatchSeveral(relation, joined)) return undefined
  const names = fixedNames(relation, fixed)
  if (relation.kind === 'table') {
    const { columns, uniqueKeys } = joined.findTable(relation) ?? { columns: [], uniqueKeys: [] }
    const own = names.filter(name => columns.some(column => column.name === name))
    return uniqueKeys.length === 0 ? undefined : { table: relation, columns: own }
  }
  const inner = plainSelect(relation)
  if (inner === undefined) return undefined
  const within = { ...joined, select: inner, groups: [], filter: [] }
  const inside = fixedInside(within, names, fixed).fixed
  const repeating = inner.relations.find(one => inside.get(one) !== 'row')
  return repeating && severalRows(repeating, inside, within)
}

/** The select of a CTE or a subquery that returns the rows it reads, one for one. */
export function plainSelect({ query }: Relation): Select | undefined {
  const [select, ...others] = query?.selects ?? []
  if (select === undefined || others.length > 0) return undefined
  const { node, items, relations } = select
  const isOther = node.groupClause ?? node.distinctClause ?? node.limitCount ?? node.valuesLists
  // why: a window may number the rows, so that one is chosen
  const hasWindow = nodesOf(items, 'FuncCall').some(({ over }) => over !== undefined)
  return isOther !== undefined || hasWindow || relations.some(isNatural) ? undefined : select
}

/** Whether no condition on the relation may select one row among several. */
export function mayMatchSeveral(relation: Relation, joined: Joined): boolean {
  const conditions = [...conditionsOf(joined.select), ...joined.filter].filter(condition =>
    sourcesIn(condition, joined).some(one => one === undefined || one.relation === relation),
  )
  const ranges = new Set(
    conditions.flatMap(condition => (isOfNumbers(condition) ? [] : (rangeColumn(condition) ?? []))),
  )
  // why: `valid_from <= $1 and valid_until > $1` selects one row
  return ranges.size <= 1 && conditions.every(one => joins(one, relation, joined) || isLoose(one))
}

/** Whether the condition joins the relation with another one or with the organization. */
function joins(condition: Node, relation: Relation, joined: Joined): boolean {
  return equalitiesIn(condition).some(([left, right]) => {
    const [source] = as(left, 'ColumnRef') ? sourcesIn(left, joined) : []
    if (source?.relation !== relation) return false
    const others = sourcesIn(right, joined)
    const isOther = others.some(one => one !== undefined && one.relation !== relation)
    return isOther || (others.length === 0 && joined.bound.has(source.name))
  })
}

/** `kind <> 'draft'`, `kind in ('a', 'b')`, `paid_on is not null`, `amount > 0`, `day >= $1`. */
function isLoose(condition: Node): boolean {
  const { kind, name, rexpr } = as(condition, 'A_Expr') ?? {}
  const isUnequal = namesOf(name).at(-1) === '<>'
  if (kind === 'AEXPR_IN') return isUnequal || (as(rexpr, 'List')?.items?.length ?? 0) > 1
  if (kind === 'AEXPR_OP' && isUnequal) return true
  if (as(condition, 'NullTest')?.nulltesttype === 'IS_NOT_NULL') return true
  return rangeColumn(condition) !== undefined
}

/** The column of `amount > 0`, `day >= $1` or `day between ...`; undefined for other conditions. */
function rangeColumn(condition: Node): string | undefined {
  const { kind, name, lexpr, rexpr } = as(condition, 'A_Expr') ?? {}
  const isOrdered = kind === 'AEXPR_OP' && /^[<>]=?$/.test(namesOf(name).at(-1) ?? '')
  const [column, ...others] = nodesOf([lexpr, rexpr], 'ColumnRef')
  const isPlain = others.length === 0 && nodesOf(condition, 'SubLink').length === 0
  const isRange = isPlain && (isOrdered || kind === 'AEXPR_BETWEEN')
  return isRange ? namesOf(column?.fields).at(-1) : undefined
}

function isOfNumbers(condition: Node): boolean {
  const { lexpr, rexpr } = as(condition, 'A_Expr') ?? {}
  return [lexpr, rexpr].some(side => numberOf(side) !== undefined)
}
