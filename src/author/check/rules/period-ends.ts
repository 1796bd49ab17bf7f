/** The rule on a start of the period without an end: the result includes rows after the period. */
import type { Node } from 'libpg-query'
import { nodesOf, walk } from '../../../definitions/sql/syntax-tree.ts'
import { isSameOrigin, originOf, originsOf, type Origin } from '../../sql/column-origins.ts'
import { makersBehind, sourceOf } from '../../sql/columns.ts'
import { conjunctsOf, placeholderOf } from '../../sql/expressions.ts'
import { everySelect } from '../../sql/query.ts'
import type { Relation, Select } from '../../sql/relations.ts'
import { isAggregated } from '../../sql/aggregates.ts'
import {
  boundsIn,
  endpointOf,
  ENDS,
  hasColumn,
  isPlain,
  sidesIn,
  STARTS,
  TODAYS,
  type BoundSide,
} from './period-bounds.ts'
import type { TextRule } from './text-rule.ts'
import { typeOfTime } from './time-types.ts'

export const bothEnds: TextRule = ({ query, statement, knowsPlaceholders }) => {
  if (!knowsPlaceholders) return []
  const selects = everySelect(query)
  const isEnd = createIsEnd()
  const ends = selects.flatMap(select => endsIn(select, isEnd))
  const joined = selects.map(select => joinedIn(select))
  return selects.flatMap(select => {
    const conditions = boundingConditionsOf(select).filter(({ isCondition }) => isCondition)
    const joinedSelects = joined.filter(all => all.has(select)).flatMap(all => Array.from(all))
    const joinedWithSubqueries = new Set(joinedSelects.flatMap(withSubqueries))
    return boundsIn(
      conditions.map(one => one.node),
      select,
    ).flatMap(start => {
      const { left, sign, placeholder, node } = start
      if (!sign.startsWith('>') || !isPlain(start, STARTS)) return []
      const origin = originOf(left, select)
      const origins = originsOf(left, select)
      const isEnded = ends.some(({ select: at, of, isCondition, isFor, through }) => {
        // why: the selects of a union do not bound each other
        if ((at !== select && at.query === select.query) || !isFor(origin)) return false
        if (at !== select && through.has(select)) return true
        if (of !== undefined && !origins.has(of)) return false
        return origins.has(at) || (isCondition && joinedWithSubqueries.has(at))
      })
      const isCalendar = leavesOf(left).some(leaf => isEnd(leaf, select))
      if (isEnded || isCalendar) return []
      const message = `${statement.written(left)} >= :${placeholder} without an end, expected < :${placeholder.replace('start', 'end')} with it`
      return [{ line: statement.line(node), message }]
    })
  })
}

/** A condition on the rows that a select reads or aggregates, or one of its items. */
interface Condition {
  readonly node: Node
  /** The relation of a left join whose `on` this is: it restricts only that relation's rows. */
  readonly of?: Relation | undefined
  /** False for an item. */
  readonly isCondition: boolean
}

function boundingConditionsOf({ node, items, relations }: Select): Condition[] {
  const filters = items.flatMap(({ expression }) =>
    nodesOf(expression, 'FuncCall', { subqueries: false }).map(({ agg_filter: filter }) => filter),
  )
  const everywhere = [node.whereClause, node.havingClause, ...filters].flatMap(conjunctsOf)
  return [
    ...everywhere.map(one => ({ node: one, isCondition: true })),
    ...relations.flatMap(of => {
      const only = of.join === 'left' ? of : undefined
      return conjunctsOf(of.on).map(one => ({ node: one, of: only, isCondition: true }))
    }),
    ...items.map(({ expression }) => ({ node: expression, isCondition: false })),
  ]
}

/** An expression that may bound a column from above. */
interface End extends Condition {
  readonly select: Select
  /** Whether it bounds rows whose start is this column. */
  readonly isFor: (start: Origin) => boolean
  /** @see originsOf */
  readonly through: ReadonlySet<object>
}

type IsEnd = (leaf: Node, select: Select) => boolean

function endsIn(select: Select, isEnd: IsEnd): End[] {
  const holdsEnd = (node: Node) => leavesOf(node).some(leaf => isEnd(leaf, select))
  return boundingConditionsOf(select).map(condition => {
    const { node, isCondition } = condition
    const sides = sidesIn(node)
    const starts = sides.filter(
      ({ left, sign, right }) => sign.startsWith('>') && hasColumn(left) && holdsEnd(right),
    )
    const leaves = leavesOf(node, new Set<object>(starts.map(side => side.node)))
    const found = leaves.filter(leaf => isEnd(leaf, select))
    const columns = leaves.filter(leaf => 'ColumnRef' in leaf && !found.includes(leaf))
    // why: `:as_of - day` is an age, not a bound of another column
    const isSure = isCondition || found.some(leaf => !TODAYS.has(placeholderOf(leaf) ?? ''))
    const closings = isCondition ? sides.flatMap(side => closingOf(side, select) ?? []) : []
    const isFor = (start: Origin) =>
      closings.some(closes => closes(start)) ||
      (found.length > 0 &&
        columns.some(column => isSure || isSameOrigin(originOf(column, select), start)))
    return Object.assign(condition, { select, isFor, through: originsOf(columns, select) })
  })
}

/**
 * Matches the starts that a comparison bounds: `column < other_column` bounds starts of the same column,
 * `column < :period_start` those of other columns.
 */
function closingOf({ left, sign, right }: BoundSide, select: Select): End['isFor'] | undefined {
  const endpoint = endpointOf(right, select)
  const isAtColumn = endpoint?.by !== undefined || endpoint === undefined
  const isClosing = isAtColumn ? hasColumn(right) : isPlain(endpoint, STARTS) && hasColumn(left)
  if (sign.startsWith('>') || !isClosing) return undefined
  const origin = originOf(left, select)
  return start => isSameOrigin(origin, start) === isAtColumn
}

/** Whether a placeholder or column is after the period's start: `:period_end`, `:as_of`, or a time derived from one. */
function createIsEnd(): IsEnd {
  const known = new Map<unknown, boolean>()
  return function isEnd(leaf: Node, select: Select): boolean {
    const placeholder = placeholderOf(leaf) ?? ''
    if (ENDS.has(placeholder) || TODAYS.has(placeholder)) return true
    const [column] = Object.values(leaf)
    const found = known.get(column)
    if (found !== undefined) return found
    known.set(column, false)
    const isMadeOfEnd = (maker: Node, within: Select) => {
      // why: `greatest(:as_of, max(day))` has no upper bound
      const open = nodesOf(maker, 'MinMaxExpr').filter(
        ({ op, args = [] }) => op === 'IS_GREATEST' && args.some(hasColumn),
      )
      const isTime = typeOfTime(maker, within) !== undefined
      return isTime && leavesOf(maker, new Set(open)).some(one => isEnd(one, within))
    }
    const isMade =
      makersBehind(leaf, select).some(made => isMadeOfEnd(made.item.expression, made.select)) ||
      sourceOf(leaf, select)?.relation.call?.some(call => isMadeOfEnd(call, select)) === true
    known.set(column, isMade)
    return isMade
  }
}

/** Placeholders and columns, except in subqueries that read a relation. @param leftOut nodes to skip */
function leavesOf(root: unknown, leftOut: ReadonlySet<object> = new Set()): Node[] {
  const leaves: Node[] = []
  walk(root, ({ kind, node }) => {
    const isQuery = kind === 'SelectStmt' && 'fromClause' in node
    if (isQuery || leftOut.has(node)) return false
    if (kind === 'ParamRef' || kind === 'ColumnRef') leaves.push({ [kind]: node } as Node)
    return true
  })
  return leaves
}

/** A select and the ungrouped selects that it joins: an end in one bounds them all. */
function joinedIn(select: Select, found = new Set<Select>()): Set<Select> {
  found.add(select)
  for (const { join, query } of select.relations) {
    if (join === 'cross' || join === 'left') continue
    for (const one of query?.selects ?? [])
      if (!isGrouped(one) && !found.has(one)) joinedIn(one, found)
  }
  return found
}

function isGrouped({ node, items }: Select): boolean {
  return node.groupClause !== undefined || items.some(({ expression }) => isAggregated(expression))
}

/** A select with those of `exists (...)` and `in (...)` in its conditions. */
function withSubqueries(select: Select): Select[] {
  const subqueries = select.query.inner.filter(
    ({ holder, outer }) => outer === select && (holder === 'exists' || holder === 'in'),
  )
  return [select, ...subqueries.flatMap(({ selects }) => selects)]
}
