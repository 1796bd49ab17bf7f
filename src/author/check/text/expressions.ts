/** Parts of expressions that rules look for: comparisons, calls, columns. */
import {
  byComma,
  everyList,
  isGroup,
  isSign,
  isWord,
  nameOf,
  split,
  type Node,
  type Nodes,
} from './nodes.ts'

export interface Comparison {
  readonly left: Nodes
  readonly sign: string
  readonly right: Nodes
  readonly line: number
}

const COMPARING = ['<', '<=', '>', '>=', '=', '<>', '!=']
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

const BOUNDARIES =
  'and or not where on when then else case end select distinct from group order by having limit offset union intersect except all as filter over window join left right inner full cross is in between like ilike using with asc desc'.split(
    ' ',
  )

/** Each twice, from both of its sides, at any depth. */
export function comparisonsIn(nodes: Nodes): Comparison[] {
  return everyList(nodes).flatMap(list =>
    split(list, (node, at) => isSign(node, ',', ';') || isBoundary(node, list, at)).flatMap(
      part => {
        const at = part.findIndex(node => isSign(node, ...COMPARING))
        const sign = part[at]
        if (sign === undefined || at === 0 || at === part.length - 1) return []
        const [left, right] = [part.slice(0, at), part.slice(at + 1)]
        const line = part[0]?.line ?? sign.line
        const mirrored = MIRRORED[sign.text] ?? sign.text
        return [
          { left, sign: sign.text, right, line },
          { left: right, sign: mirrored, right: left, line },
        ]
      },
    ),
  )
}

function isBoundary(node: Node, list: Nodes, at: number): boolean {
  if (isSign(list[at - 1], '.')) return false
  return isWord(node, ...BOUNDARIES) && !(isWord(node, 'left', 'right') && isGroup(list[at + 1]))
}

export interface Column {
  readonly qualifier: string | undefined
  readonly name: string
}

/** What `name`, `table.name` or `schema.table.name` alone names. */
export function columnOf(nodes: Nodes): Column | undefined {
  const last = nodes.at(-1)
  const name = last?.kind === 'word' || last?.kind === 'quoted' ? nameOf(last) : undefined
  if (name === undefined || nodes.length % 2 === 0 || nodes.length > 5) return undefined
  const isDotted = nodes.every((node, at) =>
    at % 2 === 1 ? isSign(node, '.') : nameOf(node) !== undefined,
  )
  return isDotted ? { qualifier: nameOf(nodes.at(-3)), name } : undefined
}

/** The placeholder that stands alone, in brackets or with a cast too. */
export function placeholderOf(nodes: Nodes): string | undefined {
  const [first, second] = nodes
  if (nodes.length === 1 && isGroup(first)) return placeholderOf(first.nodes)
  if (first?.kind !== 'placeholder') return undefined
  return nodes.length === 1 || (isSign(second, '::') && nodes.length === 3) ? first.text : undefined
}

export interface Call {
  readonly name: string
  readonly args: Node[][]
  readonly line: number
  /** What stands behind it in its list. */
  readonly rest: Nodes
  /** What its list holds before it. */
  readonly before: Nodes
}

/** Calls of these functions, at any depth. */
export function callsIn(nodes: Nodes, ...names: readonly string[]): Call[] {
  return everyList(nodes).flatMap(list =>
    list.flatMap((node, at) => {
      const group = list[at + 1]
      const name = nameOf(node)
      if (name === undefined || !names.includes(name) || !isGroup(group)) return []
      const args = group.nodes.length === 0 ? [] : byComma(group.nodes)
      return [{ name, args, line: node.line, rest: list.slice(at + 2), before: list.slice(0, at) }]
    }),
  )
}

/** What one call, one column, one literal or one pair of brackets ends at this place, and begins where. */
export function operandBefore(list: Nodes, at: number): Nodes {
  let start = at - 1
  if (isGroup(list[start]) || isGroup(list[start], '[')) {
    if (
      nameOf(list[start - 1]) !== undefined &&
      !isBoundary(list[start - 1] as Node, list, start - 1)
    )
      start--
  }
  while (isSign(list[start - 1], '.')) start -= 2
  return list.slice(Math.max(start, 0), at)
}

/** Without brackets around the whole. */
export function bare(nodes: Nodes): Nodes {
  const [first] = nodes
  return nodes.length === 1 && isGroup(first) ? bare(first.nodes) : nodes
}
