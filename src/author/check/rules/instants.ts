/** Rules on days and instants: a day begins at midnight in the organization's time zone, not the session's. */
import type { Node } from 'libpg-query'
import type { Placeholder } from '../../../definitions/definition.ts'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import {
  callOf,
  operatorOf,
  placeholderOf,
  placeholdersIn,
  stringOf,
  typeOf,
  withoutCasts,
} from '../../sql/expressions.ts'
import type { DraftPart } from './draft.ts'
import { endpointOf, hasColumn, sidesIn } from './period-bounds.ts'
import { calls, nodes, onEach, type TextRule } from './text-rule.ts'
import { DAYS, SMALL, typeOfTime } from './time-types.ts'

const ZONE = 'in the time zone of the session'
const DATE_OF: Readonly<Partial<Record<Placeholder, string>>> = {
  now: ':today',
  period_start_at: ':period_start',
  period_end_at: ':period_end',
}
const FIRST_INSTANT = 'the first instant of the day as in "Placeholders" of sql/README.md'
const INSTANT_OF: Readonly<Partial<Record<Placeholder, string>>> = {
  period_start: ':period_start_at',
  period_end: ':period_end_at',
  as_of: FIRST_INSTANT,
  today: FIRST_INSTANT,
}

/** `moved_at::date`, `date(moved_at)`, `:period_start::timestamptz` */
const castsToDays = onEach(
  scope => [
    ...nodes('TypeCast')(scope).map(({ node }) => {
      return { node, operand: node.arg, type: typeOf(node.typeName) }
    }),
    ...calls('date')(scope).flatMap(({ node, args: [operand, ...others] }) =>
      others.length === 0 ? [{ node, operand, type: 'date' }] : [],
    ),
  ],
  ({ node, operand, type }, { select, part }) => {
    const placeholder = as(operand, 'ParamRef') && placeholderOf(operand)
    const instant = placeholder && INSTANT_OF[placeholder]
    if (type === 'timestamptz' && instant !== undefined)
      return `${part.written(node)} is midnight ${ZONE}, expected ${instant}`
    const isDay = DAYS.has(type) && typeOfTime(operand, select) === 'instant'
    return isDay && `${part.written(node)} is a day ${ZONE}, expected ${localOf(operand, part)}`
  },
)

function localOf(operand: Node | undefined, part: DraftPart): string {
  const placeholder = placeholderOf(operand)
  const date = placeholder && DATE_OF[placeholder]
  // why: :time_zone replaces hours that are added to change the zone
  const isMoved = operatorOf(operand) === '+' || operatorOf(operand) === '-'
  const instant = isMoved ? as(operand, 'A_Expr')?.lexpr : operand
  return date ?? `(${part.written(instant)} at time zone :time_zone)::date`
}

/** `date_trunc('month', moved_at)`, `extract(hour from moved_at)`, `to_char(moved_at, ...)` */
const callsOnInstants = onEach(
  calls('date_trunc', 'date_part', 'date_bin', 'to_char', 'extract'),
  ({ name, args: [first, second, third] }, { select, part }) => {
    const operand = name === 'to_char' ? first : second
    const unit = stringOf(withoutCasts(first)) ?? 'day'
    // why: units below a day begin at the same instants in any whole-hour zone
    const isAlike =
      name === 'date_bin'
        ? !/day|week|\dd/i.test(unit) || placeholdersIn(third).length > 0
        : name !== 'to_char' && (name === 'date_trunc' ? SMALL : SECONDS).test(unit)
    const hasZone = name === 'date_trunc' && third !== undefined
    if (isAlike || hasZone || typeOfTime(operand, select) !== 'instant') return undefined
    const text = part.written(operand)
    return `${name}() of ${text} is taken ${ZONE}, expected ${text} at time zone :time_zone`
  },
)

const SECONDS = /^(?:epoch|(?:milli|micro)?seconds?)$/i

/** A comparison of an instant with a date: PostgreSQL converts one of them in the session time zone. */
const comparedKinds = onEach(
  ({ expressions }) => sidesIn(expressions).filter(({ left }) => hasColumn(left)),
  ({ left, spelling, right }, { select, part }) => {
    const [one, other] = [typeOfTime(left, select), typeOfTime(right, select)]
    const { placeholder, by } = endpointOf(right, select) ?? {}
    const compares = `${part.written(left)} ${spelling}`
    if (one === 'instant' && (other === 'date' || other === 'local')) {
      const date = [...placeholdersIn(right), placeholder].find(name => name && INSTANT_OF[name])
      const expected = date?.startsWith('period') === true ? `:${date}_at` : localOf(left, part)
      return date && `${compares} :${date} compares an instant with a date, expected ${expected}`
    }
    const expected = placeholder && by === undefined ? DATE_OF[placeholder] : undefined
    if (one !== 'date' || other !== 'instant' || expected === undefined) return undefined
    return `${compares} :${placeholder} compares a date with an instant, expected ${expected}`
  },
)

/** `sold_at < (:as_of + 1)::timestamp at time zone :time_zone`, or such a midnight as a column */
const midnights = onEach(
  ({ expressions, select }) =>
    [...sidesIn(expressions).map(({ right }) => right), ...select.items.map(one => one.expression)]
      .map(one => callOf(withoutCasts(one), ['timezone']))
      .filter(call => call !== undefined),
  ({ node, args: [zone, day] }, { select, part }) => {
    const isMidnight = operatorOf(day) === undefined && typeOfTime(day, select) === 'local'
    if (!isMidnight || placeholderOf(zone) !== 'time_zone') return undefined
    const expected = INSTANT_OF[placeholderOf(day) ?? 'as_of'] ?? FIRST_INSTANT
    return `${part.written(node)} is the later midnight if it comes twice, expected ${expected}`
  },
)

export const localDays: TextRule = (draft, all) =>
  [castsToDays, callsOnInstants, comparedKinds, midnights].flatMap(rule => rule(draft, all))
