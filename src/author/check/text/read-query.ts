/** Reads a query into its selects: their items, tables, conditions and order, as far as rules of the text need them. */
import { byComma, isGroup, isSign, isWord, nameOf, type Node, type Nodes } from './nodes.ts'
import { readTables, type Table } from './tables.ts'

export interface Query {
  readonly line: number
  /** The word before its bracket, as in `exists (select ...)`; undefined for the whole. */
  readonly before: string | undefined
  readonly ctes: readonly Cte[]
  /** More than one where they are united; a part in brackets is a query of its own. */
  readonly parts: ReadonlyArray<Select | Query>
  /** The word behind which each further part stands, and whether `all` follows. */
  readonly unions: ReadonlyArray<{
    readonly line: number
    readonly word: string
    readonly all: boolean
  }>
  /** Undefined where there is none. */
  readonly orderBy: Nodes | undefined
  /** The `limit`, `offset` or `fetch` around it. */
  readonly limit: Node | undefined
}

export interface Cte {
  readonly name: string
  readonly line: number
  readonly query: Query
}

export interface Select {
  readonly line: number
  readonly distinct: 'rows' | 'on' | undefined
  readonly items: readonly Item[]
  readonly tables: readonly Table[]
  readonly where: Nodes
  readonly groupBy: Nodes | undefined
  readonly having: Nodes
  readonly windows: Nodes
  readonly nodes: Nodes
}

export interface Item {
  readonly line: number
  /** Without the alias. */
  readonly expression: Nodes
  /** As PostgreSQL calls the column; undefined where only it knows. */
  readonly name: string | undefined
}

export function readQuery(nodes: Nodes, before?: string): Query {
  const { ctes, body } = readCtes(nodes)
  const operators = body.flatMap((node, at) =>
    isWord(node, 'union', 'intersect', 'except') ? [at] : [],
  )
  const lastOperator = operators.at(-1) ?? -1
  const tailAt = body.findIndex(
    (node, at) => at > lastOperator && startsTail(node, body[at + 1], body[at - 1]),
  )
  const head = tailAt === -1 ? body : body.slice(0, tailAt)
  const tail = tailAt === -1 ? [] : body.slice(tailAt)
  const cuts = [...operators, head.length]
  const parts = cuts.map((end, index) => {
    const start = (cuts[index - 1] ?? -1) + 1
    const part = head.slice(start, end)
    return readPart(isWord(part[0], 'all', 'distinct') ? part.slice(1) : part)
  })
  const limitAt = tail.findIndex(node => isWord(node, 'limit', 'offset', 'fetch'))
  const ordered = isWord(tail[0], 'order')
  return {
    line: nodes[0]?.line ?? 1,
    before,
    ctes,
    parts,
    unions: operators.map(at => ({
      line: body[at]?.line ?? 1,
      word: nameOf(body[at]) ?? '',
      all: isWord(body[at + 1], 'all'),
    })),
    orderBy: ordered ? tail.slice(2, limitAt === -1 ? undefined : limitAt) : undefined,
    limit: limitAt === -1 ? undefined : tail[limitAt],
  }
}

function readCtes(nodes: Nodes): { ctes: Cte[]; body: Nodes } {
  const ctes: Cte[] = []
  if (!isWord(nodes[0], 'with')) return { ctes, body: nodes }
  let at = isWord(nodes[1], 'recursive') ? 2 : 1
  for (;;) {
    const name = nodes[at]
    const group = nodes.findIndex(
      (node, index) => index > at && isGroup(node) && isCteBody(nodes, index),
    )
    const body = nodes[group]
    if (name === undefined || !isGroup(body)) return { ctes, body: nodes.slice(at) }
    ctes.push({ name: nameOf(name) ?? '', line: name.line, query: readQuery(body.nodes, 'as') })
    at = group + 1
    if (!isSign(nodes[at], ',')) return { ctes, body: nodes.slice(at) }
    at++
  }
}

function isCteBody(nodes: Nodes, at: number): boolean {
  return isWord(nodes[at - 1], 'as', 'materialized')
}

function startsTail(node: Node, next: Node | undefined, before: Node | undefined): boolean {
  if (isSign(before, '.') || isWord(before, 'as')) return false
  return (isWord(node, 'order') && isWord(next, 'by')) || isWord(node, 'limit', 'offset', 'fetch')
}

function readPart(nodes: Nodes): Select | Query {
  const [first] = nodes
  return isGroup(first) ? readQuery(first.nodes) : readSelect(nodes)
}

const CLAUSES = ['from', 'where', 'group', 'having', 'window']

function readSelect(nodes: Nodes): Select {
  const clauses = new Map<string, Node[]>()
  let clause: Node[] = []
  clauses.set('select', clause)
  nodes.slice(1).forEach((node, index) => {
    const before = nodes[index]
    const isClause =
      isWord(node, ...CLAUSES) &&
      !isSign(before, '.') &&
      !isWord(before, 'as', 'distinct') &&
      (!isWord(node, 'group') || isWord(nodes[index + 2], 'by'))
    if (isClause) clauses.set(nameOf(node) ?? '', (clause = []))
    else clause.push(node)
  })
  const list = clauses.get('select') ?? []
  const distinct = isWord(list[0], 'distinct') ? (isWord(list[1], 'on') ? 'on' : 'rows') : undefined
  const items = list.slice(
    distinct === 'on' ? 3 : distinct === 'rows' || isWord(list[0], 'all') ? 1 : 0,
  )
  return {
    line: nodes[0]?.line ?? 1,
    distinct,
    items: items.length === 0 ? [] : byComma(items).map(readItem),
    tables: readTables(clauses.get('from') ?? []),
    where: clauses.get('where') ?? [],
    groupBy: clauses.get('group')?.slice(1),
    having: clauses.get('having') ?? [],
    windows: clauses.get('window') ?? [],
    nodes,
  }
}

function readItem(nodes: Nodes): Item {
  const line = nodes[0]?.line ?? 1
  const [last, before] = [nodes.at(-1), nodes.at(-2)]
  const name = nameOf(last)
  if (isWord(before, 'as') && name !== undefined)
    return { line, expression: nodes.slice(0, -2), name }
  const isColumn = nodes.length === 1 || isSign(before, '.')
  if (isColumn) return { line, expression: nodes, name }
  // why: `count(*) deals` has an alias without `as`; a word behind an operator belongs to the expression
  const isAlias = name !== undefined && (before?.kind === 'group' || nameOf(before) !== undefined)
  if (isAlias && !isWord(last, 'end')) return { line, expression: nodes.slice(0, -1), name }
  const isCall = nodes.length === 2 && isGroup(last)
  return { line, expression: nodes, name: isCall ? nameOf(before) : undefined }
}
