/** Rows as a writer gets them, and what a format makes of them. */
import * as fc from 'fast-check'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import type { Format } from '../../src/formats/format.ts'
import { createOutput, takeAll } from '../../src/formats/output.ts'
import { viewOf, type RowBytes } from '../../src/row-bytes.ts'
import type { RawField } from '../../src/terms.ts'
import { load } from '../definitions/sql-folder.ts'

export const ORGANIZATION = {
  id: '7',
  idType: 'integer',
  timeZone: 'Europe/Moscow',
  entitled: true,
}
export const PERIOD = { start: '2026-01-01', end: '2027-01-01' }
export const TODAY = '2026-11-21'

/** As it would lie in a packet, with other bytes around. */
export function rowOf(fields: ReadonlyArray<Buffer | string | null>): RowBytes {
  const starts = new Int32Array(fields.length)
  const ends = new Int32Array(fields.length)
  const parts: Buffer[] = [Buffer.from('before')]
  let at = 6
  for (const [place, field] of fields.entries()) {
    const bytes = Buffer.from(field ?? '')
    starts[place] = field === null ? -1 : at
    at += bytes.length
    ends[place] = at
    parts.push(bytes)
  }
  const bytes = Buffer.concat([...parts, Buffer.from('after')])
  const fieldCount = fields.length
  return { bytes, view: viewOf(bytes), start: 6, end: at, starts, ends, fieldCount }
}

export type Row = ReadonlyArray<Buffer | string | null>

/**
 * The whole body, of rows whose fields stand in the order of the definition's columns, or where `places` say.
 * @param totals column or fact to what PostgreSQL printed
 */
export function written(
  format: Format,
  definition: ReportDefinition,
  rows: readonly Row[],
  totals: Readonly<Record<string, RawField>>,
  places: readonly number[] = definition.columns.map((_, order) => order),
): Buffer {
  const output = createOutput(format.isText)
  const writer = format.createWriter({ definition, organization: ORGANIZATION, period: PERIOD })
  writer.head(output)
  for (const row of rows) writer.row(output, rowOf(row), places)
  const fields = new Map(Object.entries(totals))
  const rowCount = rows.length
  const summary = definition.summarize({ fields, rowCount, period: PERIOD, today: TODAY })
  writer.tail(output, { totals: fields, rowCount, summary })
  return takeAll(output)
}

/** Columns are `shop, amount, note`. */
export const SALES = salesOf('Продажи')

export function salesOf(title: string): ReportDefinition {
  return load({
    'reports/shop/sales.sql': `/*---
title: ${JSON.stringify(title)}
columns:
  shop: { title: Магазин, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
  note: { title: Заметка, type: text, total: none }
key: [shop]
summary: За {period} продано на {amount}.
---*/
select shop, amount, note from sales where organization_id = :organization_id order by shop
`,
  }).reports.get('sales')!
}

/** A report with a column of each type. */
export const ALL_TYPES = load({
  'reports/shop/all_types.sql': `/*---
title: Всё сразу
columns:
  name: { title: Название, type: text }
  day: { title: День, type: date, total: none }
  month: { title: Месяц, type: month, total: none }
  at: { title: "Когда, точно", type: datetime, total: none }
  count: { title: Число, type: integer, total: sum(count) }
  rate: { title: Курс, type: number, total: none }
  share: { title: Доля, type: percent, total: "round(avg(share), 1)" }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: За {period} продано на {amount}.
emptySummary: За {period} продаж не было.
---*/
select name, day, month, at, count, rate, share, amount from sales
where organization_id = :organization_id order by name
`,
}).reports.get('all_types')!

const digits = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
)
const decimal = fc
  .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.nat(999))
  .map(([whole, part]) => `${whole}.${String(part).padStart(3, '0')}`)
const instant = fc
  .tuple(
    fc.date({
      min: new Date('1900-01-02'),
      max: new Date('2999-12-30'),
      noInvalidDate: true,
    }),
    fc.constantFrom('', '.5', '.123456'),
  )
  .map(([date, part]) => `${date.toISOString().slice(0, 19).replace('T', ' ')}${part}+00`)
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10))
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '"', '\\', '\\"', 'a\r\n"b";c,d', '=1+1', 'Ёлка\t\u0001', ' x '),
)

/** As PostgreSQL would print rows of `ALL_TYPES`; any field may be null. */
export const anyRows: fc.Arbitrary<ReadonlyArray<ReadonlyArray<string | null>>> = fc.array(
  fc.tuple(
    ...[text, day, day.map(one => one.slice(0, 7)), instant, digits, decimal, decimal, digits].map(
      field => fc.option(field, { freq: 8 }),
    ),
  ),
  { maxLength: 12 },
)
