/** Rules on what hangs on the server and not on the data: where rows lie, and waiting. */
import type { Finding } from '../../../definitions/findings.ts'
import { withLines, type TextRule } from './draft.ts'
import { callsIn, columnOf } from './expressions.ts'
import { everyList, isSign, isWord, nameOf } from './nodes.ts'
import { everySelect } from './queries.ts'

const PLACES = ['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']

/** Every vacuum and every update changes them. */
export const placesOfRows: TextRule = draft => {
  const items = everySelect(draft.query).flatMap(({ items }) => items)
  const own = new Set(
    items.flatMap(({ name, expression }) =>
      columnOf(expression) === undefined ? (name ?? []) : [],
    ),
  )
  return withLines(draft, nodes =>
    everyList(nodes).flatMap(list =>
      list.flatMap((node, at): Finding[] => {
        const isColumn = isSign(list[at - 1], '.') || isWord(list[at - 1], 'by')
        const isOwn = own.has(nameOf(node) ?? '')
        if (!isWord(node, ...PLACES) || !isColumn || isOwn) return []
        const message = `${nameOf(node)} is where a row happens to lie, expected a column of the product's, such as its id`
        return [{ line: node.line, message }]
      }),
    ),
  )
}

export const waiting: TextRule = draft =>
  withLines(draft, nodes =>
    callsIn(nodes, 'pg_sleep', 'pg_sleep_for', 'pg_sleep_until').map(({ name, line }) => ({
      line,
      message: `${name}() waits and holds a connection, expected a plain read`,
    })),
  )
