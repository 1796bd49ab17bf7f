/** The output columns of a select and the expressions behind them, with stars expanded. */
import { as, namesOf } from '../../definitions/sql/syntax-tree.ts'
import { isNatural, type Relation, type Item, type Query, type Select } from './relations.ts'

/** The names of a table's columns; undefined if they are not known. */
export type TableColumns = (relation: Relation) => readonly string[] | undefined

export const NOT_KNOWN: TableColumns = () => undefined

/** An expression, and the select in whose scope it is. */
export interface ColumnMaker {
  readonly item: Item
  readonly select: Select
}

/** The names of a relation's columns in the surrounding select; undefined if they are not known. */
export function relationColumnNames(
  relation: Relation,
  tableColumns = NOT_KNOWN,
): readonly string[] | undefined {
  const { kind, columns, alias, query, cte } = relation
  if (kind === 'function') return columns.length > 0 ? columns : [alias]
  const read = query ?? cte?.query
  const own = read === undefined ? tableColumns(relation) : namesIn(read, tableColumns)
  return own?.map((name, at) => columns[at] ?? name)
}

export function mayHave(relation: Relation, name: string, tableColumns = NOT_KNOWN): boolean {
  return relationColumnNames(relation, tableColumns)?.includes(name) ?? true
}

/** The name of a query's column; `#0` if the name is unknown or ambiguous. */
export function nameAt(query: Query, at: number, tableColumns = NOT_KNOWN): string {
  const names = namesIn(query, tableColumns) ?? []
  const own = names[at]
  return own !== undefined && names.indexOf(own) === names.lastIndexOf(own) ? own : `#${at}`
}

function namesIn({ selects: [first] }: Query, tableColumns: TableColumns): string[] | undefined {
  return first && outputsOf(first, tableColumns)?.map(({ name }) => name)
}

/** @param name the name of the query's column */
export function makersInSelect(
  select: Select,
  name: string,
  tableColumns = NOT_KNOWN,
): ColumnMaker[] {
  const outputs = outputsOf(select, tableColumns)
  // why: a union has the column names of its first select
  const names = namesIn(select.query, tableColumns) ?? outputs?.map(one => one.name) ?? []
  const at = name.startsWith('#') ? Number(name.slice(1)) : names.indexOf(name)
  if (outputs !== undefined) return outputs[at]?.makers ?? []
  const item = select.items.find(one => one.name === name) ?? starItem(select, name, tableColumns)
  return item === undefined ? [] : [{ item, select }]
}

/** A column selected by a star that cannot be expanded. */
function starItem(select: Select, name: string, tableColumns: TableColumns): Item | undefined {
  const having = select.items.flatMap(star =>
    (starredBy(star, select) ?? [])
      .filter(relation => mayHave(relation, name, tableColumns))
      .map(relation => ({ star, relation })),
  )
  const [only, ...others] = having
  return only && itemOf(only.star, name, others.length === 0 ? only.relation : undefined)
}

/** By star and written name: rules recognize an expression by its node. */
const starItems = new WeakMap<Item, Map<string, Item>>()

function itemOf(star: Item, name: string, relation?: Relation): Item {
  const items = starItems.get(star) ?? new Map<string, Item>()
  starItems.set(star, items)
  const names = [relation?.alias, name].flatMap(one => one ?? [])
  const fields = names.map(sval => ({ String: { sval } }))
  const { offset } = star
  const made = { name, expression: { ColumnRef: { fields, location: offset } }, offset }
  const item = items.get(names.join('.')) ?? made
  items.set(names.join('.'), item)
  return item
}

/** The relations of `*` or `t.*`; undefined for other items. */
function starredBy({ name, expression }: Item, { relations }: Select) {
  const qualifier = namesOf(as(expression, 'ColumnRef')?.fields).at(-1)
  if (name !== undefined) return undefined
  return qualifier === undefined ? relations : relations.filter(({ alias }) => alias === qualifier)
}

/** An output column, and the expressions behind it: one, or those of `values`. */
interface Output {
  readonly name: string
  readonly makers: ColumnMaker[]
}

type Outputs = readonly Output[] | undefined
const known = new WeakMap<TableColumns, WeakMap<Select, Outputs>>()

/** Stars are expanded; undefined if a table's columns are not known. */
function outputsOf(select: Select, tableColumns: TableColumns): Outputs {
  const outputsBySelect = known.get(tableColumns) ?? new WeakMap<Select, Outputs>()
  known.set(tableColumns, outputsBySelect)
  if (!outputsBySelect.has(select)) {
    // why: a recursive CTE refers to itself
    outputsBySelect.set(select, undefined)
    outputsBySelect.set(select, readOutputs(select, tableColumns))
  }
  return outputsBySelect.get(select)
}

function readOutputs(select: Select, tableColumns: TableColumns): Outputs {
  const { items, relations, node } = select
  const lists = items.map((item, at): Outputs => {
    const { name } = item
    const read = starredBy(item, select)
    if (read === undefined) {
      const more = node.valuesLists?.slice(1).map(row => as(row, 'List')?.items?.[at] ?? row) ?? []
      const items = [item, ...more.map(value => ({ name, expression: value, offset: item.offset }))]
      return [{ name: name ?? '', makers: items.map(one => ({ item: one, select })) }]
    }
    // why: a star returns the merged columns of `using` and `natural` once and first
    if (read === relations && relations.some(one => one.using.length > 0 || isNatural(one)))
      return undefined
    const columns = read.map(relation =>
      (relation.kind === 'function' ? undefined : relationColumnNames(relation, tableColumns))?.map(
        own => ({ name: own, makers: [{ item: itemOf(item, own, relation), select }] }),
      ),
    )
    return columns.includes(undefined) ? undefined : columns.flatMap(one => one ?? [])
  })
  return lists.includes(undefined) ? undefined : lists.flatMap(one => one ?? [])
}
