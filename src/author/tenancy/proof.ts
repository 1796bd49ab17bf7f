/**
 * Proves that each row of a table that reaches the result belongs to the organization: its column equals the id in each
 * row that is not dropped, or its parent's key refers to such a row. Outer queries may drop rows, too.
 */
import type { Node } from 'libpg-query'
import { as, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { columnOf } from '../sql/expressions.ts'
import type { Select } from '../sql/query.ts'
import { partitionOf } from '../sql/windows.ts'
import type { Conditions } from './conditions.ts'
import { entails, type Equal } from './entailment.ts'
import { ANY_NAME, type Link } from './tenancy.ts'
import type { Source, Term, Terms } from './terms.ts'

/** A row of a select, with its equal terms. */
interface Row {
  readonly select: Select
  readonly equal: Equal
}

const MOST_STEPS = 20_000

export function createProof(terms: Terms, conditions: Conditions) {
  const open = new Set<string>()
  const known = new Map<string, boolean>()
  let assumed: ReadonlySet<Source> = new Set()
  let steps = 0
  /** How often a result depended on an unfinished goal. */
  let cycles = 0

  /** A goal that depends on itself is false, except in a recursive CTE: facts of its first rows hold in later ones. */
  function once(key: string, ask: () => boolean, isAgain = false): boolean {
    const isProved = known.get(key)
    if (isProved !== undefined) return isProved
    if (open.has(key)) {
      cycles++
      return isAgain
    }
    if (++steps > MOST_STEPS) return false
    const before = cycles
    open.add(key)
    const found = ask()
    open.delete(key)
    // why: caching avoids exponential time for chains of CTEs that read one another twice
    if (cycles === before) known.set(key, found)
    return found
  }

  function inRowsOf(source: Source | undefined, select: Select, goal: (row: Row) => boolean) {
    const own = source?.select === select ? source.relation : undefined
    const formulas = conditions.of(select, own === undefined ? [] : [own])
    return entails(formulas, equal => ++steps <= MOST_STEPS && goal({ select, equal }))
  }

  function isBound(source: Source): boolean {
    return once(`bound ${source.id}`, () =>
      inRowsOf(source, source.select, row => isBoundIn(source, row)),
    )
  }

  /** @param isNamed whether another row refers to it by key, which is not tried a second time */
  function isBoundIn(source: Source, row: Row, isNamed = false): boolean {
    const { key: parent = '', tenancy, table } = source.table ?? {}
    const isLinked = (link: Link) =>
      columnsOf(source, link).some(columns => isOwn(columns, link, row, source))
    if (tenancy?.kind === 'child') return tenancy.links.some(isLinked)
    if (tenancy?.kind !== 'tenant') return false
    const columns = table?.primaryKey ?? []
    return (
      isOwn([terms.columnTerm(source, tenancy.column)], undefined, row) ||
      // why: a primary key identifies one row
      (!isNamed && columns.length > 0 && isLinked({ parent, columns, keys: columns }))
    )
  }

  /** The columns of a link; all candidates if their names are unknown. */
  function columnsOf(source: Source, { columns }: Link): Term[][] {
    const isKnown = !columns.includes(ANY_NAME)
    const names = isKnown ? [columns] : terms.namesIn(source).map(name => [name])
    return names.map(all => all.map(name => terms.columnTerm(source, name)))
  }

  /** Whether the column is the organization's id, or the link's columns refer to a parent row of the organization. */
  function isOwn(
    columns: readonly Term[],
    link: Link | undefined,
    row: Row,
    self?: Source,
  ): boolean {
    const { select, equal } = row
    const [first] = columns
    if (first === undefined) return false
    const all = equal(first)
    if (link === undefined && all.some(isOrganization)) return true
    const sources = [...new Set(all.flatMap(({ source }) => source ?? []))]
    const isParent = (source: Source) =>
      source !== self && link !== undefined && isParentRow(source, columns, link, row)
    if (sources.some(isParent)) return true
    return (
      sources.some(source => {
        const outputs = columns.flatMap(column => equal(column).find(isOf(source)) ?? [])
        if (outputs.length < columns.length) return false
        const isOtherSelect = source.select !== select
        return (
          areMade(outputs, link, source) || (isOtherSelect && isOwnInSource(outputs, link, source))
        )
      }) || isDroppedOutside(columns, link, row)
    )
  }

  function isOrganization({ source, name }: Term): boolean {
    if (source === undefined) return true
    const { tenancy } = source.table ?? {}
    return assumed.has(source) && tenancy?.kind === 'tenant' && tenancy.column === name
  }

  function isParentRow(source: Source, columns: readonly Term[], link: Link, row: Row) {
    const hasAll = columns.every((column, at) =>
      row.equal(column).some(one => one.source === source && isName(link.keys[at], one.name)),
    )
    if (source.table?.key !== link.parent || !hasAll) return false
    return assumed.has(source) || isBoundIn(source, row, true) || isBound(source)
  }

  /** Whether columns of a query belong to the organization in each of its selects. */
  function areMade(columns: readonly Term[], link: Link | undefined, source: Source): boolean {
    if (source.query === undefined) return false
    const ask = () => {
      const makers = columns.map(column => terms.makersOf(column))
      const isMade = makers[0]?.every(({ select, term }, at) => {
        const made = makers.flatMap(each => each[at]?.term ?? [])
        if (made.length < columns.length) return false
        return inRowsOf(term?.source, select, row => isOwn(made, link, row))
      })
      return isMade === true && makers[0]!.length > 0
    }
    const keys = columns.map(column => terms.columnKey(column))
    return once(`made ${goalOf(link)} ${keys.join()}`, ask, source.isItself)
  }

  /** For a source of an outer select, or of one within `exists`. */
  function isOwnInSource(columns: readonly Term[], link: Link | undefined, source: Source) {
    const keys = columns.map(({ key }) => key)
    return once(`other ${goalOf(link)} ${keys.join()}`, () =>
      inRowsOf(source, source.select, row => isOwn(columns, link, row)),
    )
  }

  /** For a query whose every use drops the rows that cannot be proved. */
  function isDroppedOutside(columns: readonly Term[], link: Link | undefined, row: Row): boolean {
    const { select, equal } = row
    const { query } = select
    if (query.holder === 'statement' || !keepsRows(columns, row)) return false
    const uses = terms.sources.filter(source => source.query === query)
    if (uses.length === 0 || uses.some(({ isItself }) => isItself)) return false
    const isDroppedBy = (use: Source) => {
      const outer = columns.flatMap(column => {
        const [name] = equal(column).flatMap(one => terms.namesOf(one, select, use))
        if (name === undefined) return []
        return use.tested.size > 0 ? (use.tested.get(name) ?? []) : terms.columnTerm(use, name)
      })
      const source = use.relation === undefined ? outer[0]?.source : use
      if (outer.length < columns.length) return false
      return inRowsOf(source, use.select, inside => isOwn(outer, link, inside))
    }
    const keys = columns.flatMap(column => ['', ...equal(column).map(({ key }) => key)])
    return once(`outside ${goalOf(link)} ${keys.join(' ')}`, () => uses.every(isDroppedBy))
  }

  /** Whether rows with other values do not affect the rows with one value: no limit, no window across them. */
  function keepsRows(columns: readonly Term[], { select, equal }: Row): boolean {
    const { node } = select
    const names = (list: readonly Node[]) =>
      columns.some(column =>
        list.some(one => equal(column).some(term => term === terms.termOf(one, select))),
      )
    if (select.isLimited) return false
    const distinct = (node.distinctClause ?? []).filter(one => Object.keys(one).length > 0)
    if (distinct.length > 0 && !names(distinct.flatMap(one => outputIn(one, select)))) return false
    const windows = nodesOf(node.targetList, 'WindowDef', { subqueries: false })
    return windows.every(one => names(partitionOf(one, select)))
  }

  return {
    /** @param taken sources that are assumed to be proved */
    isBound(source: Source, taken: ReadonlySet<Source> = new Set()): boolean {
      assumed = taken
      steps = 0
      known.clear()
      return isBound(source)
    },
    /** Whether the proof exceeded its limit of steps. */
    isAborted: () => steps > MOST_STEPS,
  }
}

function goalOf(link: Link | undefined): string {
  return `${link?.parent} ${link?.keys.join()}`
}

function isOf(source: Source): (term: Term) => boolean {
  return term => term.source === source
}

function isName(wanted: string | undefined, name: string): boolean {
  return wanted === ANY_NAME || wanted === name
}

/** The expression behind `distinct on (1)` and `distinct on (name)`: output columns come first. */
function outputIn(node: Node, { items }: Select): Node {
  const { qualifier, name } = columnOf(node) ?? {}
  const position = as(node, 'A_Const')?.ival?.ival
  const hasStar = items.some(item => item.name === undefined)
  if (position !== undefined) return (hasStar ? undefined : items[position - 1]?.expression) ?? node
  const item = name === undefined ? undefined : items.find(one => one.name === name)
  return (qualifier === undefined ? item?.expression : undefined) ?? node
}
