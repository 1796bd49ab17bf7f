/**
 * Duplicated rows (fan-out): aggregates over rows that a join repeats because its condition covers no unique key of the
 * joined relation. Knows the text and unique keys, not the data.
 */
import type { Node } from 'libpg-query'
import { as, namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { makersOf } from './columns.ts'
import { callsIn, conjunctsOf, contributing, type Call } from './expressions.ts'
import {
  mayMatchSeveral,
  plainSelect,
  severalRows,
  type Joined,
  type SeveralRows,
} from './several-rows.ts'
import {
  fix,
  fixColumns,
  fixedInside,
  fixedNames,
  groupsOf,
  sourcesIn,
  type FixedColumns,
  type IsKey,
  type SelectScope,
} from './fixed-columns.ts'
import { expressionsOf, everySelect } from './query.ts'
import { isNatural, type Relation, type Query } from './relations.ts'
import type { FindTable } from './catalog-tables.ts'
import type { TableColumns } from './outputs.ts'

export interface DuplicatedRows {
  readonly call: Call
  /** The relation whose columns the call aggregates; for `count(*)`, one of the two whose pairs it counts. */
  readonly rows: Relation
  /** Whether the relation is in the call's own select, not in a CTE or a subquery. */
  readonly isDirect: boolean
  /** The relation that repeats the rows. */
  readonly by: Relation
  readonly isCountOfPairs: boolean
  /** The table that has several rows by its keys; undefined if a condition may select one of them. */
  readonly proof: SeveralRows | undefined
}

/**
 * One per call, for the first relation that repeats the aggregated rows.
 * @param bound names of columns that have one value, the organization's id
 */
export function duplicatedRows(
  query: Query,
  findTable: FindTable,
  bound: ReadonlySet<string>,
): DuplicatedRows[] {
  const tableColumns: TableColumns = relation =>
    findTable(relation)?.columns.map(({ name }) => name)
  const isKey: IsKey = (table, names) =>
    findTable(table)?.uniqueKeys.some(key => key.every(name => names.includes(name))) === true
  const oneRow = new Map()
  const all = everySelect(query).flatMap(select =>
    callsIn(expressionsOf(select), REPEATING, { subqueries: false }).flatMap(call => {
      const { node, args } = call
      const scope = { select, tableColumns, isKey, oneRow }
      const isOfAggregates = callsIn(args, REPEATING).length > 0
      if (node.agg_distinct === true || isOfAggregates || sharesByCount(args, scope)) return []
      const found = repeatedBy({
        ...scope,
        findTable,
        bound,
        values: node.agg_within_group === true ? (node.agg_order ?? []) : args.slice(0, 1),
        isMean: !ADDING.has(call.name),
        groups: [...groupsOf(scope), ...(node.over?.partitionClause ?? [])],
        filter: conjunctsOf(node.agg_filter),
        fixed: new Map(),
      })
      return found === undefined ? [] : [{ call, ...found }]
    }),
  )
  // why: a select that reads a CTE may choose one of its rows
  return all.filter(({ isDirect, proof }) => isDirect || proof !== undefined)
}

/** Aggregates whose result depends on how often a row is repeated. */
const REPEATING =
  'sum avg count string_agg json_agg jsonb_agg stddev variance percentile_cont percentile_disc'.split(
    ' ',
  )
const ADDING = new Set(['sum', 'count', 'string_agg', 'json_agg', 'jsonb_agg'])

interface Search extends Joined {
  /** The arguments of the aggregate. */
  readonly values: readonly Node[]
  /** Whether repeating all rows of a group equally does not change the result. */
  readonly isMean: boolean
  /** Columns that outer selects have fixed. */
  readonly fixed: FixedColumns
}

function repeatedBy(search: Search): Omit<DuplicatedRows, 'call'> | undefined {
  const { select, values } = search
  if (select.relations.some(isNatural)) return undefined
  const columns = values.flatMap(value => contributing(value, 'ColumnRef'))
  if (columns.length === 0) return pairsIn(search)
  const sources = sourcesIn(values, search)
  const own = new Set(sources.flatMap(source => source?.relation ?? []))
  const isKnown = sources.every(source => source !== undefined)
  if (!isKnown || [...own].some(relation => !select.relations.includes(relation))) return undefined
  const [rows, ...others] = own
  const isSameInGroup = [...own].every(one => withRows([], search).get(one) === 'row')
  if (rows === undefined || (isSameInGroup && search.isMean)) return undefined
  const [by] = repeatingRelations([...own], search)
  if (by === undefined) return others.length === 0 ? repeatedInside(rows, search) : undefined
  const proof = severalRows(by, withRows([...own], search), search)
  return { rows, isDirect: true, by, isCountOfPairs: false, proof }
}

/** Relations that may have several rows for one row of `own`, except those for which `own` is a lookup. */
function repeatingRelations(own: readonly Relation[], search: Search): Relation[] {
  const { relations } = search.select
  const last = Math.max(...own.map(relation => relations.indexOf(relation)))
  // why: in `from lines join products ... sum(products.weight)` a product per line is intended
  const lookedUpFrom = relations.filter(
    (relation, at) =>
      at < last && own.every(one => withRows([relation], search).get(one) === 'row'),
  )
  const fixed = withRows([...own, ...lookedUpFrom], search)
  return relations.filter(relation => fixed.get(relation) !== 'row')
}

/** Columns that are fixed in a group for one row of each of these relations. */
function withRows(rows: readonly Relation[], search: Search): FixedColumns {
  const { select, groups, filter, bound } = search
  const fixed: FixedColumns = new Map(search.fixed)
  for (const relation of select.relations) {
    for (const name of bound) {
      // why: a column that is the key of another table, such as `id`, is not the organization's id there
      if (!search.isKey(relation, [name], select)) fix(fixed, { relation, name })
    }
  }
  for (const group of groups) {
    const [source] = as(group, 'ColumnRef') ? sourcesIn(group, search) : []
    if (source !== undefined) fix(fixed, source)
  }
  for (const relation of rows) fixed.set(relation, 'row')
  return fixColumns(search, fixed, filter)
}

/** Rows that are repeated within a CTE or a subquery. */
function repeatedInside(rows: Relation, search: Search): Omit<DuplicatedRows, 'call'> | undefined {
  const select = plainSelect(rows)
  if (select === undefined || callsIn(select.items, REPEATING).length > 0) return undefined
  const names = new Set(sourcesIn(search.values, search).map(source => source?.name))
  const values = select.items.flatMap(({ name, expression }) =>
    names.has(name) ? [expression] : [],
  )
  const known = fixedNames(rows, withRows([], search))
  const within = { ...search, select, values, groups: [], filter: [] }
  const { fixed } = fixedInside(within, known, search.fixed)
  const found = repeatedBy({ ...within, fixed })
  const proof = mayMatchSeveral(rows, search) ? found?.proof : undefined
  return found && { ...found, isDirect: false, proof }
}

/** Two relations joined to a third: `count(*)` counts their pairs. */
function pairsIn(search: Search): Omit<DuplicatedRows, 'call'> | undefined {
  const { relations } = search.select
  const all = relations.map(rows => {
    const fixed = withRows([rows], search)
    return { rows, fixed, others: relations.filter(relation => fixed.get(relation) !== 'row') }
  })
  const [most] = all.toSorted((a, b) => a.others.length - b.others.length)
  const other = all.find(({ rows }) => rows === most?.others[0])
  if (most === undefined || other === undefined) return undefined
  const { rows, fixed } = most
  const isOfOne = relations.some(
    relation => fixed.get(relation) === 'row' && other.fixed.get(relation) === 'row',
  )
  if (!isOfOne) return undefined
  const proof = severalRows(other.rows, fixed, search)
  return { rows, isDirect: true, by: other.rows, isCountOfPairs: true, proof }
}

/** Whether values are divided by a count: `amount / count(*) over (partition by deal)`, or a column of a count. */
function sharesByCount(values: readonly Node[], scope: SelectScope): boolean {
  return nodesOf(values, 'A_Expr').some(({ name, rexpr }) => {
    if (namesOf(name).at(-1) !== '/') return false
    const made = sourcesIn(rexpr, scope).flatMap(source =>
      source === undefined ? [] : makersOf(source).map(({ item }) => item.expression),
    )
    return callsIn([rexpr, ...made], ['count']).length > 0
  })
}
