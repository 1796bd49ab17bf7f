/** A rule: a function from parsed SQL to faults. */
import type { Node } from 'libpg-query'
import type { ParsedSql } from '../sql/parsed-sql.ts'
import { nodesOf, offsetOf, type NodeKind, type NodeOf } from '../sql/syntax-tree.ts'

/** `message` says what was found and what was expected. */
export interface SqlFault {
  readonly offset: number
  readonly message: string
}

/** @param sql at least one statement, without a syntax error */
export type SqlRule = (sql: ParsedSql) => SqlFault[]

/** The first statement: another rule reports a second one. */
export function rootOf({ statements }: ParsedSql): Node | undefined {
  return statements[0]?.tree
}

/**
 * A rule for every node of a kind.
 * @param faultOf returns the message and its node or offset, by default the start of the node
 */
export function onEachNode<Kind extends NodeKind>(
  kind: Kind,
  faultOf: (node: NodeOf<Kind>, sql: ParsedSql) => readonly [message: string, at?: unknown] | void,
): SqlRule {
  return sql =>
    nodesOf(rootOf(sql), kind).flatMap(node => {
      const [message, at = node] = faultOf(node, sql) ?? []
      const offset = typeof at === 'number' ? at : (offsetOf(at) ?? 0)
      return message === undefined ? [] : [{ offset, message }]
    })
}
