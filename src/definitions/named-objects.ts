/** Functions and operators that SQL names: what they are, only the server knows. */
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
  const found = (
    kind: ObjectKind,
    names: readonly string[],
    at: unknown,
    argumentCount = 1,
    written = names.join('.'),
  ): NamedObject[] => {
    const [name, schema] = names.toReversed()
    const offset = typeof at === 'number' ? at : (offsetOf(at) ?? start)
    return name === undefined
      ? []
      : [{ kind, name, written, schema, argumentCount, line: lineOf(offset) }]
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
      namesOf(node.indirection).flatMap(name => found('field', [name], node, 1, `(...).${name}`)),
    ),
    ...tokens.flatMap(token => {
      const word = text.slice(token.start, token.end)
      const isNew = token.kind === 'keyword' && NEW_KEYWORD.test(word)
      return isNew ? found('keyword', [word.toLowerCase()], token.start) : []
    }),
    ...operatorsIn(tree).flatMap(({ names, node }) =>
      found('operator', names, (node as { readonly location?: number }).location),
    ),
    ...COMPARISONS.flatMap(sign => found('operator', [sign], start)),
  ]
  const keyOf = ({ kind, written, argumentCount }: NamedObject) =>
    `${kind} ${argumentCount} ${written}`
  return [...new Map(all.toReversed().map(one => [keyOf(one), one])).values()].toReversed()
}

function argumentCountOf({
  args = [],
  agg_order: order = [],
  agg_within_group: isOrderedSet,
}: NodeOf<'FuncCall'>): number {
  return args.length + (isOrderedSet === true ? order.length : 0)
}
