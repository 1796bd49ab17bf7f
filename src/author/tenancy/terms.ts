/** The values of expressions across the scopes of a definition: the organization's id, or a column of a source. */
import type { ColumnRef, Node, SelectStmt, SubLink } from 'libpg-query'
import { as, namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { columnIn, sourceOf, type ColumnSource } from '../sql/columns.ts'
import {
  relationColumnNames,
  makersInSelect,
  nameAt,
  outputsOf,
  starredBy,
  type TableColumns,
} from '../sql/outputs.ts'
import { callOf, placeholderOf, typeOf, withoutCasts } from '../sql/expressions.ts'
import {
  everyQuery,
  everySelect,
  expressionsOf,
  scopesOf,
  type Query,
  type Select,
} from '../sql/query.ts'
import type { DraftPart } from '../check/rules/draft.ts'
import type { Tenancies, TableTenancy } from './tenancy.ts'
import { isNatural, type Relation } from '../sql/relations.ts'

/** A source of rows: a relation in `from`, or a subquery in an expression. */
export interface Source {
  readonly id: number
  readonly part: DraftPart
  readonly select: Select
  readonly relation: Relation | undefined
  /** Of a table only. */
  readonly table: TableTenancy | undefined
  /** Of a CTE, a subquery, or `report` in a total. */
  readonly query: Query | undefined
  /** Whether it is a recursive CTE's reference to itself. */
  readonly isItself: boolean
  /** For `(a, b) in (select ...)`: a and b, by the names of the columns that they equal. */
  readonly tested: ReadonlyMap<string, Term | undefined>
}

/** Expressions with the same key have the same value. */
export interface Term {
  readonly key: string
  /** Undefined for the organization's id. */
  readonly source: Source | undefined
  /** The name of the source's column; `#1` is the second column of a subquery in an expression. */
  readonly name: string
}

const NO_TABLE = { relation: undefined, table: undefined }
const EXTREMES = ['min', 'max']

export const ORGANIZATION: Term = { key: ':organization_id', source: undefined, name: '' }

export type Terms = ReturnType<typeof createTerms>

export function createTerms(parts: readonly DraftPart[], tenancies: Tenancies) {
  const tenancyOf = (relation: Relation) =>
    relation.kind === 'table' ? tenancies.of(relation) : undefined
  const tableColumns: TableColumns = relation =>
    tenancyOf(relation)?.table?.columns.map(({ name }) => name)
  const sources: Source[] = []
  const ofRelation = new Map<Relation, Source>()
  const ofSubquery = new Map<SelectStmt, Source>()
  const interned = new Map<string, Term>()
  const queries = parts.flatMap(({ query }) => everyQuery(query))
  const queryOf = new Map(queries.map(query => [query.node, query]))
  const scopes = new Map(parts.flatMap(({ query }) => [...scopesOf(query)]))

  /** @param written a name, or `#1` for the second column of a query */
  function columnTerm(source: Source, written: string): Term {
    const { query } = source
    const isAt = query !== undefined && written.startsWith('#')
    const name = isAt ? nameAt(query, Number(written.slice(1)), tableColumns) : written
    const key = `${source.id}.${name}`
    const term = interned.get(key) ?? { key, source, name }
    interned.set(key, term)
    return term
  }

  /** Undefined unless it is the organization's id or a column of a known relation. */
  function termOf(node: Node | undefined, select: Select): Term | undefined {
    const bare = withoutSafeCasts(node)
    if (as(bare, 'ParamRef') && placeholderOf(bare) === 'organization_id') return ORGANIZATION
    const link = as(bare, 'SubLink')
    if (link !== undefined) {
      const source = link.subLinkType === 'EXPR_SUBLINK' ? subquerySource(link) : undefined
      return source && columnTerm(source, '#0')
    }
    return sourceTerm(sourceOf(bare, select, tableColumns))
  }

  function sourceTerm(found: ColumnSource | undefined): Term | undefined {
    const source = found && ofRelation.get(found.relation)
    return source && columnTerm(source, found.name)
  }

  function subquerySource({ subselect }: SubLink): Source | undefined {
    const select = as(subselect, 'SelectStmt')
    return select && ofSubquery.get(select)
  }

  /** One term for each element of `(a, b)`, otherwise a single term. */
  function termsOf(node: Node | undefined, select: Select): (Term | undefined)[] {
    const row = as(withoutCasts(node), 'RowExpr')?.args
    return (row ?? [node]).map(one => termOf(one, select))
  }

  /** The expressions behind a query's column, one per select. */
  function makersOf({ source, name }: Term) {
    return givingSelects(source?.query).flatMap(select => {
      const made = makersInSelect(select, name, tableColumns)
      if (made.length === 0) return [{ select, term: undefined }]
      // why: `min` and `max` return the value of some row
      return made.map(({ item: { expression } }) => ({
        select,
        term: termOf(callOf(withoutCasts(expression), EXTREMES)?.args[0] ?? expression, select),
      }))
    })
  }

  /** The output names of a query for a term of one of its selects. */
  function namesOf(term: Term, select: Select, { query }: Source): string[] {
    const nameOf = (at: number) => (query === undefined ? [] : nameAt(query, at, tableColumns))
    const outputs = outputsOf(select, tableColumns)
    if (outputs !== undefined)
      return outputs.flatMap(({ makers: [made] }, at) =>
        termOf(made?.item.expression, select) === term ? nameOf(at) : [],
      )
    return select.items.flatMap((item, at) => {
      const isStarred = starredBy(item, select)?.some(one => one === term.source?.relation)
      if (isStarred === true) return [term.name]
      return termOf(item.expression, select) === term ? (item.name ?? nameOf(at)) : []
    })
  }

  /** The names of each source's columns that the definition reads, also through CTEs, stars and `using`. */
  function namesRead(): Map<Source, Set<string>> {
    const names = new Map<Source, Set<string>>()
    const addName = (term: Term | undefined) => {
      if (term?.source === undefined) return
      const own = names.get(term.source) ?? new Set()
      if (own.has(term.name)) return
      names.set(term.source, own.add(term.name))
      for (const made of makersOf(term)) addName(made.term)
    }
    for (const [ColumnRef, select] of scopes) addName(termOf({ ColumnRef }, select))
    for (const { relations } of selects.map(one => one.select)) {
      const outer = relations.map(one => relationColumnNames(one, tableColumns))
      const shared = relations.flatMap((one, at) =>
        isNatural(one) ? (outer[at] ?? []) : one.using,
      )
      for (const name of new Set(shared))
        for (const [at, one] of relations.entries())
          if (outer[at]?.includes(name) ?? true)
            addName(sourceTerm(columnIn(one, name, tableColumns)))
    }
    return names
  }
  let namesBySource: ReturnType<typeof namesRead> | undefined

  const add = (source: Omit<Source, 'id'>): Source => {
    const added = { ...source, id: sources.length }
    sources.push(added)
    return added
  }
  const selects = parts.flatMap(part =>
    everySelect(part.query).map(select => ({ part, select, tested: new Map() })),
  )
  for (const read of selects) {
    for (const relation of read.select.relations) {
      const { query, cte } = relation
      const isItself = query === undefined && cte?.query !== undefined
      const table = tenancyOf(relation)
      ofRelation.set(
        relation,
        add({ ...read, relation, table, query: query ?? cte?.query, isItself }),
      )
    }
  }
  for (const read of selects) {
    for (const link of nodesOf(expressionsOf(read.select), 'SubLink', { subqueries: false })) {
      const node = as(link.subselect, 'SelectStmt')
      const query = node && queryOf.get(node)
      if (query === undefined) continue
      const isIn = link.subLinkType === 'ANY_SUBLINK' && isEqual(link)
      const terms = isIn ? termsOf(link.testexpr, read.select) : []
      const tested = new Map(terms.map((term, at) => [nameAt(query, at, tableColumns), term]))
      ofSubquery.set(query.node, add({ ...read, ...NO_TABLE, query, isItself: false, tested }))
    }
  }
  return {
    sources,
    termOf,
    /** For a column reference anywhere in the definition. */
    termIn(ColumnRef: ColumnRef): Term | undefined {
      const select = scopes.get(ColumnRef)
      return select && termOf({ ColumnRef }, select)
    },
    columnTerm,
    /** For a relation's column, by its name in the surrounding select. */
    relationTerm: (relation: Relation, name: string) =>
      sourceTerm(columnIn(relation, name, tableColumns)),
    outerNames: (relation: Relation) => relationColumnNames(relation, tableColumns),
    termsOf,
    /** The names of a source's columns that the definition reads. */
    namesIn: (source: Source): string[] => [...((namesBySource ??= namesRead()).get(source) ?? [])],
    /** The key of a query's column, regardless of the relation that reads it. */
    columnKey: ({ source, name }: Term) =>
      `${source?.query && queries.indexOf(source.query)}.${name}`,
    subquerySource,
    makersOf,
    namesOf,
  }
}

/** The selects whose rows a query returns. */
export function givingSelects(query: Query | undefined): Select[] {
  return (query?.selects ?? []).filter(({ isGiving }) => isGiving)
}

/** Types for which a cast may map two ids to one value. */
const LOSSY =
  /^(bool|bit|varbit|bpchar|char|name|citext|date|time|timetz|timestamp|timestamptz|interval|float4|float8|money)$/

function withoutSafeCasts(node: Node | undefined): Node | undefined {
  const { arg, typeName } = as(node, 'TypeCast') ?? {}
  const isSafe = typeName !== undefined && !LOSSY.test(typeOf(typeName)) && !typeName.typmods
  return isSafe ? withoutSafeCasts(arg) : node
}

/** For `in (select ...)` and `= any (select ...)`. */
function isEqual({ operName }: SubLink): boolean {
  return (namesOf(operName).at(-1) ?? '=') === '='
}
