/** Rules on which rows a result has and in which order: none is lost or chosen by chance. */
import type { Node, SelectStmt } from 'libpg-query'
import { as, namesOf, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { contributorsOf } from '../../sql/columns.ts'
import { callOf, callsIn, isNull, numberOf, stringOf, type Call } from '../../sql/expressions.ts'
import { everyQuery } from '../../sql/query.ts'
import type { Query, Select } from '../../sql/relations.ts'
import { isAggregated } from '../../sql/aggregates.ts'
import { isOneRow, isKeyOf } from '../../sql/row-counts.ts'
import { keywordBefore } from '../../sql/keyword-before.ts'
import { isOrdered } from '../../sql/windows.ts'
import { inEachSelect, type Draft } from './draft.ts'
import { calls, onEach, type TextRule } from './text-rule.ts'

/** A limit drops rows of a report silently; `maxRows` rejects too many rows. */
export const uncut: TextRule = ({ query, report, statement }) => {
  const limit = limitOf(query.node)
  if (limit === undefined || report === undefined || isOneRow(query)) return []
  const message = `${limit.word} on the whole statement drops rows silently, expected all of them: maxRows rejects too many`
  return [{ line: statement.line(limit.node), message }]
}

/** A limit without an order: PostgreSQL chooses the rows. */
export const picked = onEach(
  ({ select: { node, query }, draft, part }) => {
    const isFirst = query.selects[0]?.node === node
    const limited = new Set(isFirst ? [query.node, node] : [node])
    const limits = Array.from(limited).flatMap(one =>
      one.sortClause !== undefined || testsForAny(one, query, draft) ? [] : (limitOf(one) ?? []),
    )
    const [key] = node.sortClause === undefined ? (node.distinctClause ?? []) : []
    if (key === undefined || Object.keys(key).length === 0) return limits
    return [...limits, { word: 'distinct on', node: keywordBefore(part.sql, key, 'select') }]
  },
  ({ word }) =>
    `${word} without an order by takes rows by chance, expected an order that ends in a unique key`,
)

/** Whether the select only tests for any row: `exists (select ... limit 1)`, `select 1 ... limit 1`. */
function testsForAny(node: SelectStmt, query: Query, draft: Draft): boolean {
  const isReport = draft.report !== undefined && query === draft.query
  const isAny = isReport || query.holder === 'exists'
  return (
    node.targetList?.every(item => as(as(item, 'ResTarget')?.val, 'A_Const')) === true ||
    (node === query.node && (isAny || isOneRow(query, false)))
  )
}

/** `limit all` and `offset 0` do not limit. */
function limitOf({ limitCount, limitOffset }: SelectStmt) {
  if (limitCount !== undefined && !isNull(limitCount)) return { word: 'limit', node: limitCount }
  const isNone = limitOffset === undefined || isNull(limitOffset) || numberOf(limitOffset) === '0'
  return isNone ? undefined : { word: 'offset', node: limitOffset }
}

const ORDERED = 'row_number rank dense_rank ntile lag lead first_value last_value nth_value'.split(
  ' ',
)

/** Windows and aggregates whose result depends on an order that the text does not state. */
export const unorderedWindows = onEach(
  scope => {
    const { expressions, select } = scope
    const isUnordered = ({ node: { over } }: Call) => over && !isOrdered(over, select)
    const windows = calls(...ORDERED)(scope).filter(isUnordered)
    const [relation, ...others] = select.relations
    const isOrderedInside = others.length === 0 && relation?.query?.node.sortClause !== undefined
    // why: by PostgreSQL's manual, an aggregate over one ordered subquery uses its order unless there is a join
    const isRead = isOrderedInside && select.node.groupClause === undefined
    const lists = isRead ? [] : listsIn(expressions)
    const unordered = lists.filter(({ node }) => !node.agg_order && !node.agg_distinct)
    return [...windows, ...unordered.filter(one => !one.node.over || isUnordered(one))]
  },
  ({ name }) =>
    `${name}() without an order by depends on chance, expected an order that ends in a unique key`,
)

/** Aggregates that build lists, and arrays that are indexed or printed. */
function listsIn(expressions: readonly Node[]) {
  const within = { subqueries: false }
  const arrays = [
    ...nodesOf(expressions, 'A_Indirection', within).map(({ arg }) => arg),
    ...callsIn(expressions, ['array_to_string'], within).map(({ args }) => args[0]),
  ]
  return [
    ...callsIn(expressions, ['string_agg', 'json_agg', 'jsonb_agg'], within),
    // why: in x = any (array_agg(y)) the order does not matter
    ...arrays.flatMap(array => callOf(array, ['array_agg']) ?? []),
  ]
}

/** A star selects whatever columns a table has. */
export const noStar = onEach(
  ({ select: { items, query } }) =>
    items.flatMap(({ name, expression: node }) =>
      name === undefined && query.holder !== 'exists' ? [{ node }] : [],
    ),
  ({ node }, { select, part }) => {
    const qualifier = namesOf(as(node, 'ColumnRef')?.fields).at(-1)
    const table = select.relations.find(
      ({ kind, alias }) => kind === 'table' && (qualifier === undefined || qualifier === alias),
    )
    if (table === undefined) return undefined
    // why: `table x` has a star that is not written
    const written = part.written(node) || `table ${table.name}`
    return `${written} takes whatever columns ${table.name} has, expected them by name`
  },
)

/** `union` drops equal rows, with amounts that are summed later. */
export const unionAll: TextRule = draft => {
  const { statement } = draft
  const summed = new Set(inEachSelect(draft, summedIn))
  return everyQuery(statement.query).flatMap(({ selects, setOperations }) => {
    const amount = selects[0]?.items.find(item => summed.has(item.expression))?.name
    const isPlain = selects.some(
      ({ node }) => node.groupClause === undefined && node.distinctClause === undefined,
    )
    if (amount === undefined || !isPlain || neverEqual(selects)) return []
    return setOperations.flatMap(({ kind, isAll, right }) => {
      const message = `union drops rows that are equal, and their ${amount} with them, expected union all`
      const line = statement.line(keywordBefore(statement.sql, right.node, 'union'))
      return kind === 'union' && !isAll ? [{ line, message }] : []
    })
  })
}

/** The expressions from which sums are computed, down to tables. */
function summedIn(expressions: readonly Node[], select: Select): Node[] {
  const sums = callsIn(expressions, ['sum', 'avg'], { subqueries: false })
  const made = sums.flatMap(({ args }) => args.flatMap(arg => contributorsOf(arg, select)))
  return made.map(([expression]) => expression)
}

/** Whether rows have a key, or each select is one row with a different constant. */
function neverEqual(selects: readonly Select[]): boolean {
  const haveKey = selects.every(select =>
    select.items.some(({ expression }) => isKeyOf(expression, select)),
  )
  const areNamed = selects[0]?.items.some((_, at) => {
    const values = selects.map(({ items }) => constantIn(items[at]?.expression))
    return !values.includes(undefined) && new Set(values).size === values.length
  })
  const areSingle = selects.every(
    ({ node, items }) =>
      node.groupClause === undefined && items.some(({ expression }) => isAggregated(expression)),
  )
  return haveKey || (areNamed === true && areSingle)
}

function constantIn(node: Node | undefined): string | undefined {
  return numberOf(node) ?? stringOf(node)
}
