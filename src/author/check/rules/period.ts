/** Rules on the period: it is used, and half-open. */
import type { Node } from 'libpg-query'
import type { ColumnType } from '../../../model/terms.ts'
import { isSameColumn, isSameOrigin } from '../../sql/column-origins.ts'
import { as, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import {
  callsIn,
  conjunctsOf,
  operatorOf,
  placeholdersIn,
  stringOf,
} from '../../sql/expressions.ts'
import { inEachSelect, partsOf } from './draft.ts'
import {
  boundsOf,
  ENDS,
  hasColumn,
  isPlain,
  nextTo,
  problemOfEnd,
  sidesIn,
  STARTS,
  TODAYS,
  type Bound,
} from './period-bounds.ts'
import type { TextRule } from './text-rule.ts'

export const halfOpen: TextRule = draft => {
  const all = boundsOf(draft)
  return all.flatMap(bound => {
    const message = problemOf(bound, all)
    return message === undefined ? [] : [{ line: bound.part.line(bound.node), message }]
  })
}

/** A bound that includes or excludes a day wrongly: `day <= :period_end`, `day < :period_end + 1`. */
function problemOf(bound: Bound, all: readonly Bound[]): string | undefined {
  const { left, sign, spelling, placeholder, by, right, part } = bound
  const next = nextTo(placeholder)
  const hasBound = (signs: string, placeholders: ReadonlySet<string>, among = all) =>
    among.some(
      one =>
        signs.split(' ').includes(one.sign) &&
        isPlain(one, placeholders) &&
        isSameColumn(one.origin, bound.origin),
    )
  const messageFor = (problem: string, expected: string) =>
    `${spelling} :${placeholder} ${problem}, expected ${expected} :${placeholder}`
  if (by !== undefined) {
    const problem = problemOfEnd(sign, bound)
    return problem !== undefined && hasBound('>=', STARTS)
      ? `${spelling} ${part.written(right)} ${problem}, expected < :${placeholder}`
      : undefined
  }
  if (STARTS.has(placeholder)) {
    if (sign === '>' && hasBound('< <=', ENDS) && !isOverlap())
      return messageFor(`leaves out the period's first ${next.slice(4)}`, '>=')
    return sign === '<=' && hasBound('>=', STARTS)
      ? messageFor("counts the period's first day on both sides", '<')
      : undefined
  }
  if (!ENDS.has(placeholder)) return undefined
  if (sign === '<=' && !isReportedByLoading(bound) && !isExclusive(bound))
    return messageFor(`includes ${next} after the period`, '<')
  if (sign === '>' && hasBound('<', ENDS))
    return messageFor(`leaves ${next} after the period on neither side`, '>=')
  const before = sign === '>=' && isRequired(bound) && all.find(one => isSwapped(bound, one))
  return before
    ? `${part.written(left)} >= :${placeholder} and < :${before.placeholder} is never true, expected start and end the other way round`
    : undefined

  /** `came_at < :period_end_at and left_at > :period_start_at` selects all that overlap the period. */
  function isOverlap(): boolean {
    const ends = all.filter(
      one =>
        one.expression === bound.expression &&
        one.sign.startsWith('<') &&
        ENDS.has(one.placeholder),
    )
    return ends.length > 0 && !hasBound('< <=', ENDS, ends)
  }
}

/** Loading reports `between` with a placeholder. */
function isReportedByLoading({ node }: Bound): boolean {
  return node.kind !== 'AEXPR_OP' && placeholdersIn(node).length > 0
}

/** Whether a day is an exclusive end: `<= :period_end` is right for `month + interval '1 month'`. */
function isExclusive({ origin: { maker } }: Bound): boolean {
  return (
    nodesOf(maker, 'A_Expr').some(node => operatorOf({ A_Expr: node }) === '+') ||
    callsIn(maker, ['lead', 'upper']).length > 0 ||
    placeholdersIn(maker).some(name => ENDS.has(name))
  )
}

/** Whether a column must be after the period's end and before its start. */
function isSwapped({ expression, origin }: Bound, start: Bound): boolean {
  const isStart = start.sign === '<' && isPlain(start, STARTS) && isRequired(start)
  return isStart && start.expression === expression && isSameOrigin(start.origin, origin)
}

/** Whether the whole expression is true only if the comparison is. */
function isRequired({ expression, node }: Bound): boolean {
  return conjunctsOf(expression).some(one => as(one, 'A_Expr') === node)
}

/** `extract(year from day) = extract(year from :period_start)` without another bound: a month's result is the year's. */
export const onlyYear: TextRule = draft => {
  let isBounded = false
  const findings = inEachSelect(draft, (expressions, _select, part) =>
    expressions.flatMap(conjunctsOf).flatMap(condition => {
      const years = sidesIn([condition]).flatMap(({ left, sign, right, node }) => {
        const [call] = callsIn(right, ['extract', 'date_part', 'date_trunc'])
        const unit = /^(?:year|quarter|month)$/i.exec(stringOf(call?.args[0]) ?? '')?.[0]
        const of = placeholdersIn(right).find(name => STARTS.has(name) || ENDS.has(name))
        if (unit === undefined || of === undefined || sign !== '=' || !hasColumn(left)) return []
        const message = `${part.written(left)} = the ${unit} of :${of} includes the whole ${unit}, expected :period_start and :period_end`
        return [{ line: part.line(node), message }]
      })
      isBounded ||= years.length === 0 && hasColumn(condition) && tellsTime(condition)
      return years
    }),
  )
  return isBounded ? [] : findings
}

const DATES: ReadonlySet<ColumnType> = new Set(['date', 'month', 'datetime'])

/** The statement has no placeholder of the period; a list for all organizations without dates needs none. */
export const somePeriod: TextRule = draft => {
  const { shared, columns = {} } = draft.report ?? {}
  const hasDate = Object.values(columns).some(({ type }) => DATES.has(type))
  if (shared === true && !hasDate) return []
  if (!draft.knowsPlaceholders || partsOf(draft).some(({ root }) => tellsTime(root))) return []
  const message =
    'no placeholder of the period, expected :period_start and :period_end, or :as_of: now every period has the same result'
  return [{ line: draft.statement.line(undefined), message }]
}

function tellsTime(node: Node): boolean {
  return placeholdersIn(node).some(name => STARTS.has(name) || ENDS.has(name) || TODAYS.has(name))
}
