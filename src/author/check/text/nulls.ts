/** Rules on null: what is never true because of it, and rows that are lost by it. */
import type { TextRule } from './draft.ts'
import { allNodes, withLines } from './draft.ts'
import { callsIn, columnOf } from './expressions.ts'
import { everyList, flat, isGroup, isSign, isWord, split, written, type Group } from './nodes.ts'
import { everySelect, firstSelect } from './queries.ts'
import { readQuery } from './read-query.ts'

/** `= null` is never true. */
export const nullTests: TextRule = draft =>
  allNodes(draft).flatMap(nodes =>
    everyList(nodes).flatMap(list =>
      list.flatMap((node, at) => {
        const isTest = isSign(node, '=', '<>', '!=') && isWord(list[at + 1], 'null')
        if (!isTest) return []
        const expected = node.text === '=' ? 'is null' : 'is not null'
        return [
          { line: node.line, message: `${node.text} null is never true, expected ${expected}` },
        ]
      }),
    ),
  )

/** `not in (select ...)` is never true once the select gives a null. */
export const notIn: TextRule = draft =>
  allNodes(draft).flatMap(nodes =>
    everyList(nodes).flatMap(list =>
      list.flatMap((node, at) => {
        const group = list[at + 2]
        if (!isWord(node, 'not') || !isWord(list[at + 1], 'in') || !isGroup(group)) return []
        const inner = flat(group.nodes)
        const excludesNull = inner.some(
          (token, at) =>
            isWord(token, 'not') && isWord(inner[at + 1], 'null') && isWord(inner[at - 1], 'is'),
        )
        if (!isWord(inner[0], 'select', 'with') || excludesNull || !mayBeNull(group)) return []
        return [
          {
            line: node.line,
            message:
              'not in (select ...) is never true once the select gives a null, expected not exists',
          },
        ]
      }),
    ),
  )

/** By its name: a column that is no table's own `id` or `stage_id`, and not from an optional join. */
function mayBeNull({ nodes }: Group): boolean {
  const select = firstSelect(readQuery(nodes))
  const column = columnOf(select?.items[0]?.expression ?? [])?.name
  if (select === undefined || column === undefined) return false
  const isOptional = select.tables.some(({ join }) => ['left', 'right', 'full'].includes(join))
  const isOwn = select.tables.some(
    ({ name }) => column.endsWith('_id') && name?.startsWith(column.slice(0, -3)) === true,
  )
  return isOptional || !(column === 'id' || isOwn)
}

/** `case x when null` is never true, and behind a constant `coalesce` takes nothing. */
export const neverTaken: TextRule = draft =>
  withLines(draft, nodes => [
    ...everyList(nodes).flatMap(list =>
      list.flatMap((node, at) => {
        const isNull =
          isWord(node, 'when') && isWord(list[at + 1], 'null') && isWord(list[at + 2], 'then')
        const message = 'when null is never true, expected case when ... is null'
        return isNull ? [{ line: node.line, message }] : []
      }),
    ),
    ...callsIn(nodes, 'coalesce').flatMap(({ args: [first = [], ...others], line }) => {
      const [constant] = first
      const isConstant =
        first.length === 1 && (constant?.kind === 'string' || constant?.kind === 'number')
      if (!isConstant || others.length === 0) return []
      const message = `coalesce(${written(first)}, ...) is always ${written(first)}, expected the constant last`
      return [{ line, message }]
    }),
  ])

const COMPARING = ['=', '<', '<=', '>', '>=', '<>', '!=']

/** A condition in `where` throws away the rows that `left join` keeps. */
export const leftJoins: TextRule = ({ query }) =>
  everySelect(query).flatMap(({ tables, where }) => {
    const optional = new Set(
      tables.flatMap(({ join, alias = '' }) => (join === 'left' ? [alias] : [])),
    )
    if (where.some(node => isWord(node, 'or'))) return []
    return split(where, node => isWord(node, 'and')).flatMap(condition => {
      const at = condition.findIndex(node => isSign(node, ...COMPARING))
      const column = at === -1 ? undefined : columnOf(condition.slice(0, at))
      if (column?.qualifier === undefined || !optional.has(column.qualifier)) return []
      return [
        {
          line: condition[0]?.line ?? 1,
          message: `${written(condition.slice(0, at))} in where throws away the rows that left join keeps, expected it in on, or join`,
        },
      ]
    })
  })
