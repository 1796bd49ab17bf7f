/** Functions and operators that SQL names: what they are, only the server knows. */
import type { Node } from 'libpg-query'
import type { ParsedSql } from './sql/parsed-sql.ts'
import { namesOf, nodesOf, offsetOf, operatorsIn, type NodeOf } from './sql/syntax-tree.ts'

/**
 * `field`: PostgreSQL reads `t.f` and `(x).f` as `f(t)` and `f(x)` if there is no such column. `keyword`: what PostgreSQL
 * 18 reads as syntax, an earlier server may read as a call.
 */
export type ObjectKind = 'function' | 'operator' | 'keyword' | 'field of a row' | 'field'

export interface NamedObject {
  readonly kind: ObjectKind
  readonly name: string
  /** As messages name it. */
  readonly written: string
  /** Undefined for a bare name. */
  readonly schema: string | undefined
  /** Of a call. */
  readonly argumentCount: number
  /** Of `t.f`: all that `t` may stand for, by their names in `from`; undefined if not all have one. */
  readonly relations: ReadonlySet<string> | undefined
  readonly line: number
}

/** Operators that SQL uses without their signs: `in`, `between`, `case x when`, `using`. */
const COMPARISONS = ['=', '<>', '<', '<=', '>', '>=']

/** Keywords since PostgreSQL 16 and 17. */
const NEW_KEYWORD = /^(?:json|json_\w+|merge_action)$/i

/** Each once, at the first line that names it. */
export function namedObjects(
  { text, tokens, statements: [statement] }: ParsedSql,
  lineOf: (offset: number) => number,
): NamedObject[] {
  if (statement === undefined) return []
  const { tree, start } = statement
  const tables = tablesByName(tree)
  const found = (
    kind: ObjectKind,
    names: readonly string[],
    at: number | undefined,
    argumentCount = 1,
    written = names.join('.'),
  ): NamedObject[] => {
    const [name, schema] = names.toReversed()
    if (name === undefined) return []
    const isOfRow = kind === 'field of a row' && names.length === 2
    const relations = isOfRow ? tables.get(schema!) : undefined
    const line = lineOf(at ?? start)
    return [{ kind, name, written, schema, argumentCount, relations, line }]
  }
  const functions = nodesOf(tree, 'RangeFunction').map(({ alias }) => alias?.aliasname)
  // why: a function in `from` may return no row but a value, also under a name that PostgreSQL chooses
  const scalars = new Set(functions)
  const isRow = (relation?: string) => !scalars.has(relation) && !scalars.has(undefined)
  const all = [
    ...nodesOf(tree, 'FuncCall').flatMap(call =>
      found('function', namesOf(call.funcname), call.location, argumentCountOf(call)),
    ),
    ...nodesOf(tree, 'ColumnRef').flatMap(({ fields, location }) => {
      const names = namesOf(fields)
      const isField = names.length > 1 && names.length === fields?.length
      if (!isField) return []
      return found(isRow(names.at(-2)) ? 'field of a row' : 'field', names, location)
    }),
    ...nodesOf(tree, 'A_Indirection').flatMap(node =>
      namesOf(node.indirection).flatMap(name =>
        found('field', [name], offsetOf(node), 1, `(...).${name}`),
      ),
    ),
    ...tokens.flatMap(token => {
      const word = text.slice(token.start, token.end)
      const isNew = token.kind === 'keyword' && NEW_KEYWORD.test(word)
      return isNew ? found('keyword', [word.toLowerCase()], token.start) : []
    }),
    ...operatorsIn(tree).flatMap(({ names, node }) => found('operator', names, node.location)),
    ...COMPARISONS.flatMap(sign => found('operator', [sign], start)),
  ]
  const keyOf = ({ kind, written, argumentCount }: NamedObject) =>
    `${kind} ${argumentCount} ${written}`
  return [...new Map(all.toReversed().map(one => [keyOf(one), one])).values()].toReversed()
}

/** Tables and CTEs by their names and aliases in `from`, without names that may also stand for something else. */
function tablesByName(tree: Node): Map<string, Set<string>> {
  const ranges = nodesOf(tree, 'RangeVar')
  const own = new Set(ranges.map(({ alias }) => alias))
  const tables = new Map<string, Set<string>>()
  for (const { relname = '', alias } of ranges) {
    const name = alias?.aliasname ?? relname
    tables.set(name, (tables.get(name) ?? new Set()).add(relname))
  }
  const others = nodesOf(tree, 'Alias').filter(one => !own.has(one) || one.colnames !== undefined)
  const joins = nodesOf(tree, 'JoinExpr').flatMap(one => one.join_using_alias ?? [])
  for (const { aliasname = '' } of others.concat(joins)) tables.delete(aliasname)
  return tables
}

function argumentCountOf(call: NodeOf<'FuncCall'>): number {
  const { args = [], agg_order: order = [], agg_within_group: isOrderedSet } = call
  return args.length + (isOrderedSet === true ? order.length : 0)
}
