/** A rule: a function from parsed SQL to faults. */
import type { Node } from 'libpg-query'
import type { ParsedSql } from '../sql/parsed-sql.ts'
import { namesOf, nodesOf, offsetOf, type NodeKind, type NodeOf } from '../sql/syntax-tree.ts'

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

interface Cast {
  /** In `pg_catalog`; empty for a type of another schema, which belongs to the product. */
  readonly type: string
  readonly arg: Node | undefined
  /** Of the type. */
  readonly location: number | undefined
}

/** A rule for `x::type`, `cast(x as type)`, `type 'x'` and `type(x)`. @param faultOf as in `onEachNode` */
export function onEachCast(
  faultOf: (cast: Cast, sql: ParsedSql) => readonly [message: string, at?: unknown] | void,
): SqlRule {
  const ofCasts = onEachNode('TypeCast', ({ arg, typeName }, sql) => {
    const { names, location } = typeName ?? {}
    return faultOf({ type: nameOfPostgres(names), arg, location }, sql)
  })
  const ofCalls = onEachNode('FuncCall', ({ funcname, args = [], location }, sql) =>
    args.length === 1
      ? faultOf({ type: nameOfPostgres(funcname), arg: args[0], location }, sql)
      : undefined,
  )
  return sql => [...ofCasts(sql), ...ofCalls(sql)]
}

/** Empty for a name in another schema: such functions and types belong to the product. */
export function nameOfPostgres(names: readonly Node[] | undefined): string {
  const [name = '', schema = 'pg_catalog'] = namesOf(names).toReversed()
  return schema === 'pg_catalog' ? name : ''
}
