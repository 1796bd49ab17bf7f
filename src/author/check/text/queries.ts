/** The queries and selects of a statement, at any depth. */
import { isGroup, isWord, nameOf, type Nodes } from './nodes.ts'
import { readQuery, type Query, type Select } from './read-query.ts'

function isQuery(part: Select | Query): part is Query {
  return 'parts' in part
}

function isSelect(part: Select | Query): part is Select {
  return !isQuery(part)
}

function startsQuery([first]: Nodes): boolean {
  return isWord(first, 'select', 'with') || (isGroup(first) && startsQuery(first.nodes))
}

/** A query, and all that stand in it, at any depth. */
export function everyQuery(query: Query): Query[] {
  const inParts = query.parts.flatMap(part =>
    isQuery(part) ? everyQuery(part) : queriesIn(part.nodes),
  )
  const inOrder = queriesIn(query.orderBy ?? [])
  return [query, ...query.ctes.flatMap(cte => everyQuery(cte.query)), ...inParts, ...inOrder]
}

export function everySelect(query: Query): Select[] {
  return everyQuery(query).flatMap(selectsOf)
}

/** Those that are united here, without those in brackets. */
export function selectsOf({ parts }: Query): Select[] {
  return parts.filter(isSelect)
}

/** Names of common table expressions: no tables. */
export function cteNames(query: Query): Set<string> {
  return new Set(everyQuery(query).flatMap(({ ctes }) => ctes.map(({ name }) => name)))
}

/** What real tables are called in a statement. */
export function tableAliases(query: Query): Set<string> {
  const ctes = cteNames(query)
  const tables = everySelect(query).flatMap(({ tables }) => tables)
  const real = tables.filter(({ name }) => name !== undefined && !ctes.has(name))
  return new Set(real.flatMap(({ alias }) => alias ?? []))
}

/** The select that names the columns: the first one. */
export function firstSelect({ parts: [first] }: Query): Select | undefined {
  return first === undefined || !isQuery(first) ? first : firstSelect(first)
}

function queriesIn(nodes: Nodes): Query[] {
  return nodes.flatMap((node, at) => {
    if (node.kind !== 'group') return []
    return startsQuery(node.nodes)
      ? everyQuery(readQuery(node.nodes, nameOf(nodes[at - 1])))
      : queriesIn(node.nodes)
  })
}
