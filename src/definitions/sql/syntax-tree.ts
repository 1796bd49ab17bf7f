/**
 * Walks PostgreSQL's syntax tree. A node is an object with one field, its kind: `{ FuncCall: { ... } }`. Some fields
 * contain a node's content directly: `over` contains a WindowDef.
 */
import type { Node } from 'libpg-query'

/** `FuncCall`, `SelectStmt`, ... */
export type NodeKind = Node extends infer One ? (One extends One ? keyof One : never) : never
export type NodeOf<Kind extends NodeKind> =
  Extract<Node, Record<Kind, unknown>> extends Record<Kind, infer Content> ? Content : never

export interface Visited {
  readonly kind: NodeKind
  readonly node: object
  /** The field of the parent that contains it. */
  readonly field: string
  readonly above: Visited | undefined
}

/** Fields that contain a node's content without its kind. */
const KIND_OF_FIELD: Readonly<Record<string, NodeKind>> = {
  larg: 'SelectStmt',
  rarg: 'SelectStmt',
  withClause: 'WithClause',
  typeName: 'TypeName',
  over: 'WindowDef',
  alias: 'Alias',
  intoClause: 'IntoClause',
}

/**
 * Visits every node, parents before children, in the order of the tree's fields.
 * @param enter returns false to skip a node's children
 * @throws RangeError if the tree is too deep
 */
export function walk(root: unknown, enter: (visited: Visited) => boolean | void): void {
  step(root, '', undefined, enter)
}

function step(
  value: unknown,
  field: string,
  above: Visited | undefined,
  enter: (visited: Visited) => boolean | void,
): void {
  if (Array.isArray(value)) {
    for (const one of value) step(one, field, above, enter)
    return
  }
  if (value === null || typeof value !== 'object') return
  const only = kindIn(value)
  const kind = only ?? KIND_OF_FIELD[field]
  const node = only === undefined ? value : (value as Record<string, object>)[only]!
  const visited = kind === undefined ? above : { kind, node, field, above }
  if (kind !== undefined && visited !== undefined && enter(visited) === false) return
  for (const name in node) {
    const inner: unknown = node[name as keyof typeof node]
    if (typeof inner === 'object') step(inner, name, visited, enter)
  }
}

/** The only field of a node; undefined for other objects. */
function kindIn(value: object): NodeKind | undefined {
  let only: string | undefined
  for (const name in value) {
    const code = name.charCodeAt(0)
    const isCapital = code >= 65 && code <= 90
    if (only !== undefined || !isCapital) return undefined
    only = name
  }
  return only as NodeKind | undefined
}

export interface Within {
  /** False skips subqueries and CTEs. */
  readonly subqueries?: boolean
}

type NodesByKind = Map<NodeKind, object[]>

/** For roots that were passed to `withIndex`: the nodes outside of subqueries, and all nodes. */
const indexes = new WeakMap<object, { own?: NodesByKind; all?: NodesByKind }>()

/** The root, which `nodesOf` then walks only once. The tree must not change any more. */
export function withIndex<Root extends object>(root: Root): Root {
  if (!indexes.has(root)) indexes.set(root, {})
  return root
}

/** Every node of a kind, including the root. */
export function nodesOf<Kind extends NodeKind>(
  root: unknown,
  kind: Kind,
  { subqueries = true }: Within = {},
): Array<NodeOf<Kind>> {
  const index = typeof root === 'object' && root !== null ? indexes.get(root) : undefined
  const nodes =
    index === undefined
      ? nodesByKind(root, subqueries, kind)
      : (index[subqueries ? 'all' : 'own'] ??= nodesByKind(root, subqueries))
  return [...(nodes.get(kind) ?? [])] as Array<NodeOf<Kind>>
}

/** @param only undefined for every kind */
function nodesByKind(root: unknown, subqueries: boolean, only?: NodeKind): NodesByKind {
  const found: NodesByKind = new Map()
  walk(root, ({ kind, node, above }) => {
    if (!subqueries && kind === 'SelectStmt' && above !== undefined) return false
    if (only !== undefined && kind !== only) return true
    const nodes = found.get(kind)
    if (nodes === undefined) found.set(kind, [node])
    else nodes.push(node)
    return true
  })
  return found
}

/** The content of a node of this kind; undefined for another kind. */
export function as<Kind extends NodeKind>(
  node: Node | undefined,
  kind: Kind,
): NodeOf<Kind> | undefined {
  return node === undefined ? undefined : (node as Partial<Record<Kind, NodeOf<Kind>>>)[kind]
}

/** `lower` of `pg_catalog.lower`: the names of a list of String nodes. */
export function namesOf(names: readonly Node[] | undefined): string[] {
  return (names ?? []).flatMap(name => as(name, 'String')?.sval ?? [])
}

/** The smallest offset in a node; undefined if the tree has none. */
export function offsetOf(node: unknown): number | undefined {
  return offsetsIn(node).toSorted((a, b) => a - b)[0]
}

/** The offsets of all parts. @param root a node, or the content of one, such as a FuncCall */
export function offsetsIn(root: unknown): number[] {
  const { location } = (root ?? {}) as { location?: number }
  const offsets = location === undefined ? [] : [location]
  walk(root, ({ node }) => {
    const { location: inner } = node as { location?: number }
    if (inner !== undefined) offsets.push(inner)
  })
  return offsets
}

/** Fields of a plain call: a filter, `distinct`, `order by` or a window adds others. */
export const OF_PLAIN_CALLS: ReadonlySet<string> = new Set([
  'funcname',
  'args',
  'funcformat',
  'location',
])

/** Where operators are named, and their names, with a schema or without. */
export function operatorsIn(root: unknown) {
  return [
    ...nodesOf(root, 'A_Expr').map(node => ({ names: namesOf(node.name), node })),
    ...nodesOf(root, 'SubLink').map(node => ({ names: namesOf(node.operName), node })),
    ...nodesOf(root, 'SortBy').map(node => ({ names: namesOf(node.useOp), node })),
  ]
}
