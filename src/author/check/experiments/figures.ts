/** The figures of a result by row and column, to compare them across results with other rows. */
import { isReport, type AnyDefinition } from '../../../definitions/any-definition.ts'
import { fitsType } from '../../../serve/report/result-columns.ts'
import type { QueryResult } from '../session.ts'

export interface Figure {
  readonly column: string
  /** `row "2026-01"`, `the total`. */
  readonly row: string
  readonly value: number
}

/** By row and column, of columns of numbers outside of the key; null is 0, as a row that is missing. @param columns by default all */
export function figuresOf(
  definition: AnyDefinition,
  { fields, rows }: QueryResult,
  columns?: ReadonlySet<string>,
): Map<string, Figure> {
  const key = isReport(definition) ? definition.key : []
  const totalAt = fields.findIndex(({ name }) => name === 'is_total')
  const keysAt = fields.flatMap(({ name }, at) => (key.includes(name) ? [at] : []))
  const figures = new Map<string, Figure>()
  const read = fields.flatMap(({ name: column, typeId }, at) => {
    const isRead = columns?.has(column) ?? !keysAt.includes(at)
    return isRead && fitsType(typeId, 'number') ? [{ column, at }] : []
  })
  for (const values of rows) {
    const isTotal = values[totalAt] === 't'
    const named = JSON.stringify(keysAt.map(at => values[at])).slice(1, -1)
    const row = isTotal ? 'the total' : named === '' ? 'the row' : `row ${named}`
    for (const { column, at } of read) {
      const cell = `${at} ${row}`
      const value = (figures.get(cell)?.value ?? 0) + Number(values[at] ?? 0)
      figures.set(cell, { column, row, value })
    }
  }
  return figures
}

/** `row "2026-01" has income 12 instead of 6`. */
export function describeFigure({ column, row, value }: Figure, expected: number): string {
  return `${row} has ${column} ${value} instead of ${expected}`
}
