/** A column of one type as cells of a workbook. */
import * as fc from 'fast-check'
import { XLSX_FORMAT } from '../../../src/formats/xlsx/xlsx.ts'
import { COLUMN_TYPES, type ColumnType } from '../../../src/terms.ts'
import { load } from '../../definitions/sql-folder.ts'
import { written } from '../written.ts'
import { readWorkbook, type Cell } from './reader.ts'

const definitions = new Map(
  COLUMN_TYPES.map(type => [
    type,
    load({
      'reports/shop/one.sql': `/*---
title: Один столбец
columns:
  label: { title: Имя, type: text }
  value: { title: Значение, type: ${type}, total: none }
key: [label]
summary: За {period} {row_count} строк.
---*/
select label, value from sales where organization_id = :organization_id order by label
`,
    }).reports.get('one')!,
  ]),
)

/** Of a column of fields, the cells. */
export function cellsOf(type: ColumnType, fields: readonly string[]): Cell[] {
  const rows = fields.map(field => ['a', field] as const)
  const body = written(XLSX_FORMAT, definitions.get(type)!, rows, {})
  return readWorkbook(body)
    .rows.slice(1, -1)
    .map(row => row.get('B')!)
}

/** Of many fields at once: a workbook for each would take most of the time. */
export function forAll(
  type: ColumnType,
  field: fc.Arbitrary<string>,
  check: (cell: Cell, field: string) => void,
): void {
  const column = fc.array(field, { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(column, fields => {
      for (const [at, cell] of cellsOf(type, fields).entries()) check(cell, fields[at]!)
    }),
    { numRuns: 30 },
  )
}

export function cellOf(type: ColumnType, field: string): Cell {
  return cellsOf(type, [field])[0]!
}

export function shownBy({ text, type, format }: Cell): string {
  return `${type} ${text} as ${format}`
}

export function shown(type: ColumnType, field: string): string {
  return shownBy(cellOf(type, field))
}
