/** Rules on joins: each relation is used, each join has a condition, and no row is lost. */
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { sourceOf } from '../../sql/columns.ts'
import { comparisonsIn, conjunctsOf } from '../../sql/expressions.ts'
import { everyQuery, everySelect, type Query, type Select } from '../../sql/query.ts'
import type { Relation } from '../../sql/relations.ts'
import { severalRowsOf } from '../../sql/row-counts.ts'
import { organizationColumns, tiesOf } from '../../sql/ties.ts'
import { inEachPart } from './draft.ts'
import { onEach, type TextRule } from './text-rule.ts'

/** A common table expression that is not read. */
export const readCtes: TextRule = draft =>
  inEachPart(draft, part => {
    const queries = everyQuery(part.query)
    const relations = queries.flatMap(({ selects }) => selects).flatMap(select => select.relations)
    const read = new Set(relations.map(({ query }) => query))
    return queries.flatMap(({ ctes }) =>
      ctes.flatMap(({ name, query, offset }) => {
        const message = `nothing reads ${name}, expected a from or join of it, or no such part`
        return query === undefined || read.has(query) ? [] : [{ line: part.line(offset), message }]
      }),
    )
  })

const REJECTS_NULL = /^AEXPR_(?:IN|BETWEEN|I?LIKE|OP_ANY)$/

/** A condition in `where` that removes the rows that `left join` adds. */
export const leftJoins = onEach(
  ({ select }) => conjunctsOf(select.node.whereClause).map(node => ({ node })),
  ({ node }, { select, part }) => {
    const { kind = '', lexpr, rexpr } = as(node, 'A_Expr') ?? {}
    const isComparison = comparisonsIn(node).some(one => one.node === as(node, 'A_Expr'))
    const sides = isComparison ? [lexpr, rexpr] : REJECTS_NULL.test(kind) ? [lexpr] : []
    const column = sides.find(side => {
      const relation = sourceOf(side, select)?.relation
      return relation?.join === 'left' && select.relations.includes(relation)
    })
    return (
      column &&
      `${part.written(column)} in where removes the rows without a match that left join returns, expected it in on, or join`
    )
  },
)

/** A cross product of two relations. Calendars and single rows are allowed. */
export const crossJoins: TextRule = draft =>
  inEachPart(draft, part => {
    const tenancy = organizationColumns(part.query)
    return everySelect(part.query).flatMap(select => {
      const [from, ...others] = unjoined(select, tenancy)
      return others.map(relation => ({
        line: part.line(relation.offset),
        message: `${nameOf(relation)} is joined to every row of ${nameOf(from)}, expected a condition on columns of both`,
      }))
    })
  })

/** One relation of each group that has several rows. */
function unjoined(select: Select, tenancy: ReadonlySet<string>): Relation[] {
  const { relations, query } = select
  // why: exists and in do not count rows
  if (query.holder === 'exists' || query.holder === 'in' || relations.length < 2) return []
  const several = new Set(
    tiesOf(select, tenancy).map(group => severalIn(select, group).find(one => !isCalendar(one))),
  )
  return relations.filter(relation => several.has(relation))
}

const calendars = new WeakMap<Query, boolean>()

/** Whether no row comes from a table. */
function isCalendar({ kind, query }: Relation): boolean {
  if (query === undefined) return kind !== 'table'
  const found =
    calendars.get(query) ?? query.selects.every(select => severalIn(select).every(isCalendar))
  calendars.set(query, found)
  return found
}

function severalIn(
  select: Select,
  among: ReadonlySet<Relation> = new Set(select.relations),
): readonly Relation[] {
  return severalRowsOf(
    select.relations.filter(relation => among.has(relation)),
    select,
  )
}

function nameOf({ name, alias = '' }: Partial<Relation> = {}): string {
  return name ?? (alias === '' ? 'a subquery' : alias)
}
