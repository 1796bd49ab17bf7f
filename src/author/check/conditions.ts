/** Reads the condition of a scan as EXPLAIN prints it, as far as telling whose rows it lets through. Knows no database. */
import { lex } from '../../definitions/lexer.ts'
import { columnOf } from './text/expressions.ts'
import { isGroup, isSign, isWord, nest, split, type Nodes } from './text/nodes.ts'

export interface WantedOrganization {
  /** Of the scan, as EXPLAIN calls it. */
  readonly alias: string
  readonly column: string
  readonly organizationId: string
}

/**
 * Whether all rows that meet the condition are the organization's: its column equals the id, or what another scan has in
 * such a column, or what a subquery gave; of alternatives each must say so.
 */
export function carriesOrganization(condition: string, wanted: WantedOrganization): boolean {
  const nodes = nest(lex(condition))
  return nodes !== undefined && carries(nodes, wanted)
}

function carries(nodes: Nodes, wanted: WantedOrganization): boolean {
  const bare = withoutBrackets(nodes)
  const either = split(bare, node => isWord(node, 'or'))
  if (either.length > 1) return either.every(part => carries(part, wanted))
  const all = split(bare, node => isWord(node, 'and'))
  if (all.length > 1) return all.some(part => carries(part, wanted))
  const held = onlyDistinctFrom(bare)
  if (held !== undefined) return isEither(held, wanted)
  const [left = [], right = [], ...more] = split(bare, node => isSign(node, '='))
  if (right.length === 0 || more.length > 0) return false
  return isEither([left, right], wanted)
}

function isEither([left, right]: readonly [Nodes, Nodes], wanted: WantedOrganization): boolean {
  return isEquality(left, right, wanted) || isEquality(right, left, wanted)
}

/** `NOT (a IS DISTINCT FROM b)`, as EXPLAIN prints `a is not distinct from b`. */
function onlyDistinctFrom([not, group, ...more]: Nodes): readonly [Nodes, Nodes] | undefined {
  if (!isWord(not, 'not') || !isGroup(group) || more.length > 0) return undefined
  const at = group.nodes.findIndex(node => isWord(node, 'is'))
  const isDistinct = isWord(group.nodes[at + 1], 'distinct') && isWord(group.nodes[at + 2], 'from')
  if (at === -1 || !isDistinct) return undefined
  return [group.nodes.slice(0, at), group.nodes.slice(at + 3)]
}

function isEquality(own: Nodes, other: Nodes, wanted: WantedOrganization): boolean {
  const column = columnOf(withoutCast(own))
  if (column?.name !== wanted.column) return false
  if (column.qualifier !== undefined && column.qualifier !== wanted.alias) return false
  return isOrganization(withoutCast(other), wanted)
}

function isOrganization(nodes: Nodes, wanted: WantedOrganization): boolean {
  const { alias, column, organizationId } = wanted
  const [first, second] = nodes
  if (nodes.length === 2 && isWord(first, 'any') && isGroup(second)) {
    return isListOfOne(withoutCast(second.nodes), organizationId)
  }
  if (nodes.length === 1 && first?.kind === 'string') {
    return first.text.slice(1, -1).replaceAll("''", "'") === organizationId
  }
  if (nodes.length === 1 && first?.kind === 'number') return first.text === organizationId
  if (nodes.length === 1 && first?.kind === 'parameter') return true
  const isSubquery = isGroup(first) && isWord(first.nodes[0], 'initplan', 'subplan')
  if (isSubquery) return true
  const joined = columnOf(nodes)
  return joined?.name === column && joined.qualifier !== undefined && joined.qualifier !== alias
}

/** `'{id}'::uuid[]`, or `ARRAY['id'::uuid]`. */
function isListOfOne(nodes: Nodes, organizationId: string): boolean {
  const [first, list] = nodes
  if (nodes.length === 1 && first?.kind === 'string') return first.text === `'{${organizationId}}'`
  if (!isWord(first, 'array') || !isGroup(list, '[')) return false
  const [only, ...more] = withoutCast(list.nodes)
  return more.length === 0 && only?.kind === 'string' && only.text === `'${organizationId}'`
}

/** `(a)::text` is `a`. */
function withoutCast(nodes: Nodes): Nodes {
  const bare = withoutBrackets(nodes)
  const cast = bare.findIndex(node => isSign(node, '::'))
  return cast === -1 ? bare : withoutCast(bare.slice(0, cast))
}

function withoutBrackets(nodes: Nodes): Nodes {
  const [only] = nodes
  return nodes.length === 1 && isGroup(only) ? withoutBrackets(only.nodes) : nodes
}
