/** Tokens of SQL nested by their brackets, for rules that look into parts of a statement. Knows no grammar. */
import type { Token } from '../../../definitions/lexer.ts'

export interface Group {
  readonly kind: 'group'
  /** Its opening bracket. */
  readonly text: '(' | '['
  readonly line: number
  readonly nodes: readonly Node[]
}

export type Node = Token | Group
export type Nodes = readonly Node[]

/** Undefined where brackets do not pair. @param tokens without comments */
export function nest(tokens: readonly Token[]): Node[] | undefined {
  const root: Node[] = []
  const open: Array<{ text: '(' | '['; line: number; nodes: Node[] }> = []
  for (const token of tokens) {
    const into = open.at(-1)?.nodes ?? root
    const { text, line, kind } = token
    if (kind === 'unclosed') return undefined
    if (kind === 'operator' && (text === '(' || text === '[')) open.push({ text, line, nodes: [] })
    else if (kind === 'operator' && (text === ')' || text === ']')) {
      const group = open.pop()
      if (group?.text !== (text === ')' ? '(' : '[')) return undefined
      const outer = open.at(-1)?.nodes ?? root
      outer.push({ kind: 'group', ...group })
    } else into.push(token)
  }
  return open.length === 0 ? root : undefined
}

export function isGroup(node: Node | undefined, text: '(' | '[' = '('): node is Group {
  return node?.kind === 'group' && node.text === text
}

/** Whether it is one of these unquoted words, in any case. */
export function isWord(node: Node | undefined, ...words: readonly string[]): boolean {
  return node?.kind === 'word' && words.includes(node.text.toLowerCase())
}

export function isSign(node: Node | undefined, ...signs: readonly string[]): boolean {
  return node?.kind === 'operator' && signs.includes(node.text)
}

/** What a word or a quoted identifier names. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node?.kind === 'word') return node.text.toLowerCase()
  return node?.kind === 'quoted' ? node.text.slice(1, -1) : undefined
}

/** All tokens, without the brackets. */
export function flat(nodes: Nodes): Token[] {
  return nodes.flatMap(node => (node.kind === 'group' ? flat(node.nodes) : [node]))
}

/** The list itself, and that of every group in it, at any depth. */
export function everyList(nodes: Nodes): Nodes[] {
  const inner = nodes.flatMap(node => (node.kind === 'group' ? everyList(node.nodes) : []))
  return [nodes, ...inner]
}

/** Parts between separators at this level; one part where there is none. */
export function split(nodes: Nodes, isSeparator: (node: Node, at: number) => boolean): Node[][] {
  const parts: Node[][] = [[]]
  nodes.forEach((node, at) => {
    if (isSeparator(node, at)) parts.push([])
    else parts.at(-1)?.push(node)
  })
  return parts
}

export function byComma(nodes: Nodes): Node[][] {
  return split(nodes, node => isSign(node, ','))
}

/** As a message shows it: `operations.amount_kopecks`, `coalesce(x, 0)`. */
export function written(nodes: Nodes): string {
  let text = ''
  for (const node of nodes) {
    // why: the rest is cut off, and each piece is compared with all of the text before it
    if (text.length > MAX_WRITTEN) break
    const piece =
      node.kind === 'group' ? `${node.text}${written(node.nodes)}${CLOSING[node.text]}` : node.text
    const glued =
      text === '' ||
      /^(?:[.,[]|::?$)/.test(piece) ||
      /(?:\.|::|[([])$/.test(text) ||
      isCall(text, piece)
    text += glued ? piece : ` ${piece}`
  }
  return text.length > MAX_WRITTEN ? `${text.slice(0, MAX_WRITTEN - 3)}...` : text
}

/** Of a text in a message. */
const MAX_WRITTEN = 60

const CLOSING = { '(': ')', '[': ']' } as const

function isCall(before: string, piece: string): boolean {
  return piece.startsWith('(') && /\b(?!in|and|or|not|as|exists)\w+$/.test(before)
}
