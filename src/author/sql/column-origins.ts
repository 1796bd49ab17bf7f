/** Traces an expression's columns through CTEs and subqueries down to tables. */
import type { Node } from 'libpg-query'
import { namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { makersOf, sourceOf } from './columns.ts'
import { withoutCasts } from './expressions.ts'
import type { Relation, Select } from './relations.ts'

/** A column of a table, or an expression over columns. */
export interface Origin {
  /** The relation of a column; the select of another expression. */
  readonly of: Relation | Select
  /** The normalized expression, with columns by name only. */
  readonly shape: string
  /** The expression; undefined for a column of a table. */
  readonly maker: Node | undefined
}

/** Follows a column to the one expression behind it: a column of a table, or a computed value. */
export function originOf(node: Node | undefined, select: Select): Origin {
  const column = withoutCasts(node)
  const source = sourceOf(column, select)
  const [made, ...others] = source === undefined ? [] : makersOf(source)
  if (made !== undefined && others.length === 0) return originOf(made.item.expression, made.select)
  return source === undefined
    ? { of: select, shape: shapeOf(column), maker: column }
    : { of: source.relation, shape: source.name, maker: undefined }
}

export function isSameOrigin(one: Origin, other: Origin): boolean {
  return one.of === other.of && one.shape === other.shape
}

/** Whether both are the same column of a table, which the statement may read several times. */
export function isSameColumn(one: Origin, other: Origin): boolean {
  return isSameOrigin(one, other) || (one.shape === other.shape && tableOf(one) === tableOf(other))
}

function tableOf({ of }: Origin): string | undefined {
  return 'alias' in of ? of.name : undefined
}

function shapeOf(node: Node | undefined): string {
  return JSON.stringify(node, (key, value) => {
    if (key === 'ColumnRef') return namesOf(value.fields).at(-1)
    return key === 'location' ? undefined : value
  })
}

/** The select, and the relations, selects and items through which an expression's columns pass. */
export function originsOf(node: unknown, select: Select): ReadonlySet<object> {
  const found = new Set<object>([select])
  const visit = (expression: unknown, within: Select) => {
    for (const ColumnRef of nodesOf(expression, 'ColumnRef', { subqueries: false })) {
      const source = sourceOf({ ColumnRef }, within)
      if (source === undefined) continue
      found.add(source.relation)
      for (const { item, select: inner } of makersOf(source)) {
        found.add(inner)
        if (found.has(item)) continue
        found.add(item)
        visit(item.expression, inner)
      }
    }
  }
  visit(node, select)
  return found
}
