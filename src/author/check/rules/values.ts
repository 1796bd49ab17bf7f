/** The expressions of columns, facts and metrics, by declared type. */
import type { Node } from 'libpg-query'
import { itemsOf } from '../origins.ts'
import type { Select } from '../statement.ts'
import type { Draft, DraftPart } from './draft.ts'

interface Value {
  /** The name of the column, fact or metric. */
  readonly name: string
  readonly expression: Node
  /** The select in whose scope the expression is. */
  readonly select: Select
  readonly part: DraftPart
}

/** Items of the statement, one per select of a union, and totals. */
export function valuesOf(draft: Draft, type: string): Value[] {
  const { query, statement, totals } = draft
  const items = namesOfType(draft, type).flatMap(name =>
    itemsOf(query, name).map(([expression, select]) => {
      return { name, expression, select, part: statement }
    }),
  )
  const ofTotals = totals.flatMap(part => {
    const [select] = part.query.selects
    const { name, root: expression } = part
    return part.type === type && select !== undefined ? [{ name, expression, select, part }] : []
  })
  return [...items, ...ofTotals]
}

/** Names of columns, facts and metrics of a type. */
export function namesOfType({ report, metrics }: Draft, ...types: string[]): string[] {
  const columns = Object.entries({ ...report?.columns, ...report?.facts })
  const formats = Object.entries(metrics?.metrics ?? {})
  return [
    ...columns.flatMap(([name, { type }]) => (types.includes(type) ? [name] : [])),
    ...formats.flatMap(([name, { format }]) => (types.includes(format) ? [name] : [])),
  ]
}
