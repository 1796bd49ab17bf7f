import type { Node } from 'libpg-query'
import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, placeholderOf } from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import { scopesOf, type Draft } from './draft.ts'
import { calls, columnNames, onEach, type Rule } from './rule.ts'
import { timeType } from './time-type.ts'

export const utcTimestamp: Rule = {
  needsCatalog: true,
  sentence:
    'A timestamp without time zone, which holds UTC in most products, is taken for a local time; or a date is moved.',
  bad: ', (sales.made_at at time zone :time_zone)::date as day',
  good: ", (sales.made_at at time zone 'UTC' at time zone :time_zone)::date as day",
  find: onEach(calls('timezone'), ({ node, args: [zone, operand] }, { select, draft, part }) => {
    const call = { FuncCall: node }
    const [written, time] = [part.written(call), part.written(operand)]
    if (isTakenForLocal(call, select, draft)) {
      const [utc, instant] = callOf(operand, ['timezone'])?.args ?? []
      const right = utc === undefined ? `${time} at time zone 'UTC'` : part.written(instant)
      return `${written} takes ${time}, a timestamp in UTC, for a local time, expected ${right} at time zone :time_zone`
    }
    const isDate =
      placeholderOf(zone) === 'time_zone' && timeType(operand, select, draft) === 'date'
    return (
      isDate &&
      columnNames(operand).length > 0 &&
      `${written} moves a day that has no time zone, expected ${time}`
    )
  }),
}

/** `x at time zone :time_zone` for a timestamp that holds UTC. */
export function isTakenForLocal(node: Node | undefined, select: Select, draft: Draft): boolean {
  const [zone, operand] = callOf(node, ['timezone'])?.args ?? []
  return placeholderOf(zone) === 'time_zone' && timeType(operand, select, draft) === 'utc'
}

/** Whether the statement reads such a column: it is the same instant only in sessions in UTC, as the gateway's are. */
export function readsUtc(draft: Draft): boolean {
  return scopesOf(draft).some(({ expressions, select }) =>
    nodesOf(expressions, 'ColumnRef').some(
      ColumnRef => timeType({ ColumnRef }, select, draft) === 'utc',
    ),
  )
}
