/** Rules on which rows there are and in which order: none is left out, doubled or picked by chance. */
import type { Finding } from '../../../definitions/findings.ts'
import { allNodes, withLines, type TextRule } from './draft.ts'
import { callsIn, columnOf, type Call } from './expressions.ts'
import {
  everyList,
  flat,
  isGroup,
  isSign,
  isWord,
  nameOf,
  written,
  type Node,
  type Nodes,
} from './nodes.ts'
import { cteNames, everyQuery, everySelect, firstSelect, selectsOf } from './queries.ts'
import type { Select } from './read-query.ts'

/** Of a report; `maxRows` refuses what is too much. */
export const uncut: TextRule = ({ query: { limit }, report }) => {
  if (limit === undefined || report === undefined) return []
  const message = `${limit.text} around the whole cuts rows silently, expected all of them: maxRows refuses too many`
  return [{ line: limit.line, message }]
}

/** Rows that PostgreSQL picks as it likes. */
export const picked: TextRule = draft =>
  everyQuery(draft.query).flatMap(query => {
    const { orderBy, limit, before } = query
    if (orderBy !== undefined) return []
    const select = firstSelect(query)
    const message =
      'without an order by takes rows by chance, expected an order that ends in a unique key'
    const findings: Finding[] = []
    // why: exists (select ... limit 1) and select 1 ... limit 1 ask whether there is any
    const asksForAny =
      before === 'exists' ||
      select?.items.every(({ expression }) => flat(expression).every(isConstant)) === true
    if (limit !== undefined && query !== draft.query && !asksForAny) {
      findings.push({ line: limit.line, message: `${limit.text} ${message}` })
    }
    if (select?.distinct === 'on')
      findings.push({ line: select.line, message: `distinct on ${message}` })
    return findings
  })

function isConstant({ kind, text }: Node): boolean {
  return kind === 'number' || kind === 'string' || text === 'true'
}

const ORDERED = [
  'row_number',
  'rank',
  'dense_rank',
  'ntile',
  'lag',
  'lead',
  'first_value',
  'last_value',
  'nth_value',
]

/** Windows and aggregates whose result hangs on an order that is not said. */
export const orderSaid: TextRule = draft => {
  const windows = everySelect(draft.query).map(({ windows }) => windows)
  const find = (nodes: Nodes): Finding[] => [
    ...callsIn(nodes, ...ORDERED).flatMap(({ name, rest, line }) => {
      const over = rest.findIndex(node => isWord(node, 'over'))
      if (over === -1) return []
      const window = rest[over + 1]
      // why: `over (partition by x)` stands alone, `over name` and `over (name rows ...)` build on a named window
      const base = isGroup(window) ? nameOf(window.nodes[0]) : nameOf(window)
      const named = windows.filter(list => list.some(node => nameOf(node) === base))
      if (hasOrder(named.flat()) || (isGroup(window) && hasOrder(window.nodes))) return []
      return [{ line, message: unordered(name) }]
    }),
    ...callsIn(nodes, 'string_agg', 'json_agg', 'jsonb_agg').filter(isUnordered).map(atCall),
    ...everyList(nodes).flatMap(list =>
      list.flatMap((node, at) => {
        // why: x = any (array_agg(y)) asks a set, and (array_agg(y))[1] what is first
        const isPicked = isGroup(node) && isGroup(list[at + 1], '[')
        const calls =
          isPicked && isWord(node.nodes[0], 'array_agg') ? callsIn(node.nodes, 'array_agg') : []
        return calls.slice(0, 1).filter(isUnordered).map(atCall)
      }),
    ),
  ]
  return withLines(draft, find)
}

function isUnordered({ args }: Call): boolean {
  const isSorted = isWord(args[0]?.[0], 'distinct')
  return !isSorted && !args.some(arg => hasOrder(arg))
}

function atCall({ name, line }: Call): Finding {
  return { line, message: unordered(name) }
}

function unordered(name: string): string {
  return `${name}() without an order by goes by chance, expected an order that ends in a unique key`
}

function hasOrder(nodes: Nodes): boolean {
  return everyList(nodes).some(list =>
    list.some((node, at) => isWord(node, 'order') && isWord(list[at + 1], 'by')),
  )
}

/** A star that takes in whatever columns a table has. */
export const noStar: TextRule = ({ query }) => {
  const ctes = cteNames(query)
  return everyQuery(query).flatMap(each =>
    each.before === 'exists' ? [] : selectsOf(each).flatMap(select => stars(select, ctes)),
  )
}

function stars({ items, tables }: Select, ctes: ReadonlySet<string>): Finding[] {
  return items.flatMap(({ expression, line }) => {
    const isStar =
      isSign(expression.at(-1), '*') && (expression.length === 1 || isSign(expression.at(-2), '.'))
    if (!isStar) return []
    const qualifier = nameOf(expression.at(-3))
    const table = tables.find(
      ({ name, alias }) =>
        name !== undefined && !ctes.has(name) && (qualifier === undefined || qualifier === alias),
    )
    if (table === undefined) return []
    const message = `${written(expression)} takes whatever columns ${table.name} has, expected them by name`
    return [{ line, message }]
  })
}

/** `union` drops rows that are equal, with their amounts, where those are summed afterwards. */
export const unionAll: TextRule = draft => {
  const summed = new Set(
    allNodes(draft).flatMap(nodes =>
      callsIn(nodes, 'sum', 'count', 'avg').flatMap(({ name, args }) => {
        const column = columnOf(args[0] ?? [])?.name
        return name === 'count' || column === undefined ? [] : [column]
      }),
    ),
  )
  return everyQuery(draft.query).flatMap(query => {
    const plain = selectsOf(query).filter(
      ({ groupBy, distinct }) => groupBy === undefined && distinct === undefined,
    )
    const amount = firstSelect(query)?.items.find(
      ({ name }) => name !== undefined && summed.has(name),
    )
    if (plain.length === 0 || amount === undefined) return []
    return query.unions.flatMap(({ word, all, line }) =>
      word !== 'union' || all
        ? []
        : [
            {
              line,
              message: `union drops rows that are equal, and their ${amount.name} with them, expected union all`,
            },
          ],
    )
  })
}
