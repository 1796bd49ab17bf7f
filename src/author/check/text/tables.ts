/** What a select reads from: tables, subqueries and functions, and how they are joined. */
import { isGroup, isSign, isWord, nameOf, type Node, type Nodes } from './nodes.ts'

export interface Table {
  readonly line: number
  /** Undefined for a subquery and a function; without its schema. */
  readonly name: string | undefined
  readonly schema: string | undefined
  readonly alias: string | undefined
  readonly join: 'first' | 'comma' | 'cross' | 'inner' | 'left' | 'right' | 'full'
  readonly lateral: boolean
  readonly on: Nodes
  readonly using: boolean
}

const JOIN_WORDS = [
  'natural',
  'inner',
  'left',
  'right',
  'full',
  'outer',
  'cross',
  'join',
  'lateral',
  'only',
]

/** @param nodes what stands behind `from` */
export function readTables(nodes: Nodes): Table[] {
  const tables: Table[] = []
  let at = 0
  while (at < nodes.length) {
    const words: string[] = []
    for (; isSign(nodes[at], ',') || isJoinWord(nodes, at); at++) {
      words.push(isSign(nodes[at], ',') ? ',' : (nameOf(nodes[at]) ?? ''))
    }
    const end = endOfTable(nodes, at)
    tables.push(...readTable(nodes.slice(at, end), words))
    at = Math.max(end, at + 1)
  }
  return tables
}

function isJoinWord(nodes: Nodes, at: number): boolean {
  // why: left(x, 1) is a function
  const isCall = isWord(nodes[at], 'left', 'right') && isGroup(nodes[at + 1])
  return isWord(nodes[at], ...JOIN_WORDS) && !isSign(nodes[at - 1], '.') && !isCall
}

function endOfTable(nodes: Nodes, from: number): number {
  const end = nodes.findIndex(
    (node, at) => at > from && (isSign(node, ',') || isJoinWord(nodes, at)),
  )
  return end === -1 ? nodes.length : end
}

function readTable(nodes: Nodes, words: readonly string[]): Table[] {
  const [first] = nodes
  if (first === undefined) return []
  if (
    isGroup(first) &&
    !isWord(first.nodes[0], 'select', 'with', 'values') &&
    !isGroup(first.nodes[0])
  ) {
    return readTables(first.nodes)
  }
  const onAt = nodes.findIndex(node => isWord(node, 'on', 'using'))
  const head = onAt === -1 ? nodes : nodes.slice(0, onAt)
  const dotted = isSign(head[1], '.')
  const nameAt = dotted ? 2 : 0
  const isTable = !isGroup(first) && !isGroup(head[nameAt + 1])
  const aliasAt = head.findIndex((node, at) => at > nameAt && isAliasAt(node, at, head))
  const name = isTable ? nameOf(head[nameAt]) : undefined
  return [
    {
      line: first.line,
      name,
      schema: dotted ? nameOf(first) : undefined,
      alias: nameOf(head[aliasAt]) ?? name,
      join: joinOf(words),
      lateral: words.includes('lateral'),
      on: isWord(nodes[onAt], 'on') ? nodes.slice(onAt + 1) : [],
      using: isWord(nodes[onAt], 'using') || words.includes('natural'),
    },
  ]
}

function isAliasAt(node: Node, at: number, head: Nodes): boolean {
  return nameOf(node) !== undefined && !isWord(node, 'as') && !isSign(head[at - 1], '.')
}

function joinOf(words: readonly string[]): Table['join'] {
  if (words.length === 0) return 'first'
  if (words.includes(',')) return 'comma'
  for (const join of ['cross', 'left', 'right', 'full'] as const)
    if (words.includes(join)) return join
  return 'inner'
}
