import type { Node } from 'libpg-query'
import { callOf, stringOf, typeOf, withoutCasts } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { calls, columnNames, nodes, onEach, type Scope } from './text-rule.ts'
import { timeType } from './time-type.ts'

export const literalZone: Rule = {
  id: 'literal-zone',
  level: 'warning',
  sentence: 'A literal time zone is not that of every organization.',
  bad: ", (sales.sold_at at time zone 'Asia/Omsk')::date as day",
  good: ', (sales.sold_at at time zone :time_zone)::date as day',
  find: onEach(
    scope => {
      const within = new Set(calls('timezone')(scope).map(({ args }) => callIn(args[1])))
      return calls('timezone', 'date_trunc')(scope).filter(({ node }) => !within.has(node))
    },
    ({ name, args: [first, second, third], node }, scope) => {
      const zone = stringOf(withoutCasts(name === 'timezone' ? first : third))
      if (zone === undefined) return undefined
      const isUtc = name === 'timezone' && /^(?:etc\/)?(?:utc|gmt|uct|zulu)$/i.test(zone)
      // why: a timestamp without time zone usually is in UTC, so this converts it to an instant
      const type = timeType(second, scope.select, scope.draft)
      const isZoned = callOf(second, ['timezone']) !== undefined
      const mayBeUtc = type === 'instant' || isZoned || columnNames(second).length > 0
      if (isUtc && mayBeUtc && type !== 'local' && !becomesDay(node, scope)) return undefined
      return `'${zone}' is not the time zone of every organization, expected :time_zone`
    },
  ),
}

/** Functions that convert a timestamp to a day or to a part of one. */
const OF_DAYS = ['date', 'date_trunc', 'date_part', 'extract', 'to_char']

function becomesDay(call: object, scope: Scope): boolean {
  const operands = [
    ...calls(...OF_DAYS)(scope).flatMap(({ args }) => args),
    ...nodes('TypeCast')(scope)
      .filter(({ node }) => ['date', 'timestamp', 'time'].includes(typeOf(node.typeName)))
      .map(({ node }) => node.arg),
  ]
  return operands.some(one => callIn(one) === call)
}

function callIn(node: Node | undefined): object | undefined {
  return callOf(withoutCasts(node), ['timezone'])?.node
}
