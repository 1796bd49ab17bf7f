/** What columns called like instants are, as far as the statement that names them tells. */
import type { Draft } from './draft.ts'
import { columnOf, placeholderOf } from './expressions.ts'
import { byComma, everyList, flat, isGroup, isWord, nameOf, type Nodes } from './nodes.ts'
import { everySelect } from './queries.ts'

export const DATES = [':period_start', ':period_end', ':as_of', ':today']
/** By their names, `paid_on` and `operation_date` are dates. */
export const DATE_NAME = /_(on|date)$/

export type Local = ReadonlySet<string>

/** Names like `moved_at` that a statement gives to what is no instant, or may be none. */
export function localNames(draft: Draft): Local {
  const items = everySelect(draft.query).flatMap(({ items }) => items)
  return new Set([
    ...namesInLists(draft.nodes),
    ...items.flatMap(({ name, expression }) => {
      const isLocal = flat(expression).some(token => isWord(token, 'zone', 'date', 'date_trunc'))
      const isDate =
        DATE_NAME.test(columnOf(expression)?.name ?? '') ||
        DATES.includes(placeholderOf(expression) ?? '')
      return name !== undefined && (isLocal || isDate) ? [name] : []
    }),
  ])
}

/** Of `as t (id, done_at)` and `with t (id, done_at) as (...)`: what they name only their place tells. */
function namesInLists(nodes: Nodes): string[] {
  return everyList(nodes).flatMap(list =>
    list.flatMap((group, at) => {
      if (!isGroup(group) || nameOf(list[at - 1]) === undefined) return []
      const isList =
        isWord(list[at + 1], 'as') || isWord(list[at - 2], 'as') || isGroup(list[at - 2])
      if (!isList) return []
      const columns = byComma(group.nodes).map(columnOf)
      return columns.flatMap(column =>
        column?.qualifier === undefined ? (column?.name ?? []) : [],
      )
    }),
  )
}
