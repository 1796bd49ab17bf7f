/** The rule on literal time zones: the organization's time zone decides where its days begin. */
import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, stringOf, typeOf, withoutCasts } from '../../sql/expressions.ts'
import { hasColumn, sidesIn } from './period-bounds.ts'
import { calls, nodes, onEach, type Scope } from './text-rule.ts'
import { DAYS, typeOfTime } from './time-types.ts'

/** A timestamp without time zone usually is in UTC, so `at time zone 'UTC'` converts it to an instant. */
export const otherZones = onEach(
  zonesIn,
  ({ zone }) => `time zone '${zone}' is not that of every organization, expected :time_zone`,
)

function zonesIn(scope: Scope) {
  const all = calls()(scope)
  const uses = usesIn(scope)
  return all.flatMap(({ name, args: [first, second, third], node: call }) => {
    const node = name === 'timezone' ? first : name === 'date_trunc' ? third : undefined
    const zone = stringOf(withoutCasts(node))
    if (zone === undefined || uses.local.has(call)) return []
    const isUtc = name === 'timezone' && /^(?:etc\/)?(?:utc|gmt|uct|zulu)$/i.test(zone)
    const type = typeOfTime(second, scope.select)
    const cast = type === 'local' ? as(second, 'TypeCast')?.arg : second
    const isStoredLocal =
      cast && typeOfTime(cast, scope.select) === undefined && !uses.day.has(call)
    const isOfColumn = second !== undefined && hasColumn(second)
    // why: a day in UTC is a fault for any column
    const mayBeUtc =
      type === 'instant'
        ? !isOfColumn || uses.instant.has(call) || (uses.item.has(call) && !uses.day.has(call))
        : isOfColumn && isStoredLocal
    return isUtc && mayBeUtc ? [] : [{ node, zone }]
  })
}

/** Functions that convert a timestamp to a day or to a part of one. */
const OF_DAYS = ['date', 'date_trunc', 'date_part', 'extract', 'to_char']

/** Calls of timezone() by use: selected as a column, converted back, compared with an instant, or reduced to a day. */
function usesIn(scope: Scope) {
  const argumentsOf = (...names: string[]) => calls(...names)(scope).map(({ args }) => args)
  const casts = nodes('TypeCast')(scope).filter(({ node }) => DAYS.has(typeOf(node.typeName)))
  const compared = sidesIn(scope.expressions).filter(
    ({ right }) => typeOfTime(right, scope.select) === 'instant',
  )
  return {
    // why: a check on the replica knows its type and that of the declared column
    item: callsOf(scope.select.items.map(({ expression }) => expression)),
    local: callsOf(argumentsOf('timezone').map(args => args[1])),
    instant: callsOf(compared.map(({ left }) => left)),
    day: callsOf([...argumentsOf(...OF_DAYS).flat(), ...casts.map(({ node }) => node.arg)]),
  }
}

/** The calls of timezone() among the operands. */
function callsOf(operands: readonly (Node | undefined)[]): ReadonlySet<object | undefined> {
  return new Set(operands.map(one => callOf(withoutCasts(one), ['timezone'])?.node))
}
