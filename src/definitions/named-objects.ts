/** Functions, operators and types that SQL names: what they are, only the server knows. */
import type { ParsedSql } from './sql/parsed-sql.ts'
import { namesOf, nodesOf, offsetOf, type NodeOf } from './sql/syntax-tree.ts'

/** `field`: PostgreSQL reads `t.f` and `(x).f` as `f(t)` and `f(x)` if there is no such column. */
export type ObjectKind = 'function' | 'operator' | 'type' | 'field of a row' | 'field'

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

export function namedObjects(
  { statements: [statement] }: ParsedSql,
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
  return [
    ...nodesOf(tree, 'FuncCall').flatMap(call =>
      found('function', namesOf(call.funcname), call.location, argumentCountOf(call)),
    ),
    ...nodesOf(tree, 'ColumnRef').flatMap(({ fields, location }) => {
      const names = namesOf(fields)
      const isField = names.length > 1 && names.length === fields?.length
      return isField ? found('field of a row', names, location) : []
    }),
    ...nodesOf(tree, 'A_Indirection').flatMap(node =>
      namesOf(node.indirection).flatMap(name => found('field', [name], node, 1, `(...).${name}`)),
    ),
    ...nodesOf(tree, 'TypeCast').flatMap(({ typeName }) =>
      found('type', namesOf(typeName?.names), typeName?.location),
    ),
    ...nodesOf(tree, 'A_Expr').flatMap(node => found('operator', namesOf(node.name), node)),
    ...nodesOf(tree, 'SubLink').flatMap(node => found('operator', namesOf(node.operName), node)),
    ...nodesOf(tree, 'SortBy').flatMap(node => found('operator', namesOf(node.useOp), node)),
    ...COMPARISONS.flatMap(sign => found('operator', [sign], start)),
  ]
}

function argumentCountOf({
  args = [],
  agg_order: order = [],
  agg_within_group: isOrderedSet,
}: NodeOf<'FuncCall'>): number {
  return args.length + (isOrderedSet === true ? order.length : 0)
}
