/** Creates reports and rows, and writes them in a format. */
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { loadFormats } from '../../src/serve/formats/catalog.ts'
import type { Format, BodySubject } from '../../src/serve/formats/format.ts'
import { createOutput, takeChunk } from '../../src/serve/formats/output.ts'
import { viewOf, type RowBytes } from '../../src/model/row-bytes.ts'
import { COLUMN_TYPES, type ColumnType, type RawField } from '../../src/model/terms.ts'
import { load } from '../definitions/sql-folder.ts'

await loadFormats()

export type Row = ReadonlyArray<Buffer | string | null>

/**
 * @param columns key to the rest of its front matter: `title: Магазин, type: text`
 * @param summary the text after `За {period}`
 * @param matter further lines of front matter
 */
export async function reportOf(
  columns: Readonly<Record<string, string>>,
  title = 'Продажи',
  summary = 'строк {row_count}.',
  matter = '',
): Promise<ReportDefinition> {
  const keys = Object.keys(columns)
  const lines = Object.entries(columns).map(([key, matter]) => `  ${key}: { ${matter} }`)
  const report = `/*---
title: ${JSON.stringify(title)}
${matter}
columns:
${lines.join('\n')}
key: [${keys[0]}]
summary: За {period} ${summary}
emptySummary: За {period} данных нет.
---*/
select ${keys.join(', ')} from sales where organization_id = :organization_id order by ${keys[0]}
`
  return (await load({ 'reports/shop/sales.sql': report })).reports.get('sales')!
}

export const SALES_COLUMNS = {
  shop: 'title: Магазин, type: text',
  amount: 'title: Сумма, type: money, total: sum(amount)',
  note: 'title: Заметка, type: text, total: none',
}

export const SALES = await reportOf(SALES_COLUMNS, 'Продажи', 'продано на {amount}.')

/** A column of each type; its key is the type and an underscore. */
export const EVERY_TYPE = await reportOf(
  Object.fromEntries(
    COLUMN_TYPES.map(type => [
      `${type}_`,
      `title: Столбец, type: ${type}${type === 'text' ? '' : ', total: none'}`,
    ]),
  ),
)

/** A label and a value of one type. */
export const OF_TYPE = Object.fromEntries(
  await Promise.all(
    COLUMN_TYPES.map(async type => [
      type,
      await reportOf({
        label: 'title: Имя, type: text',
        value: `title: Столбец, type: ${type}, total: none`,
      }),
    ]),
  ),
) as Readonly<Record<ColumnType, ReportDefinition>>

export function subjectOf(
  definition: ReportDefinition,
  timeZone = 'Europe/Moscow',
  name?: string,
): BodySubject {
  const organization = { id: '7', idType: 'integer', timeZone, entitled: true } as const
  return {
    definition,
    organization: name === undefined ? organization : { ...organization, name },
    period: { start: '2026-01-01', end: '2027-01-01' },
    parameters: new Map(),
    today: '2026-11-21',
    dataAsOf: '2026-11-21T10:20:30.456Z',
  }
}

/** A row as received, with other bytes before and after it. */
export function rowOf(fields: Row): RowBytes {
  const starts = new Int32Array(fields.length)
  const ends = new Int32Array(fields.length)
  const parts: Buffer[] = [Buffer.from('before')]
  let at = 6
  for (const [index, field] of fields.entries()) {
    const bytes = Buffer.from(field ?? '')
    starts[index] = field === null ? -1 : at
    at += bytes.length
    ends[index] = at
    parts.push(bytes)
  }
  const bytes = Buffer.concat([...parts, Buffer.from('after')])
  const fieldCount = fields.length
  return { bytes, view: viewOf(bytes), start: 6, end: at, starts, ends, fieldCount }
}

interface WriteOptions {
  /** Column or fact to its text from PostgreSQL. */
  readonly totals?: Readonly<Record<string, RawField>>
  /** Indexes of the definition's columns in the row. */
  readonly indexes?: readonly number[]
  readonly timeZone?: string
  readonly organizationName?: string
}

/** The whole body. */
export function bodyOf(
  format: Format,
  definition: ReportDefinition,
  rows: readonly Row[],
  { totals = {}, indexes, timeZone, organizationName }: WriteOptions = {},
): Buffer {
  const output = createOutput(format.isText)
  const subject = subjectOf(definition, timeZone, organizationName)
  const writer = format.createWriter(subject)
  const inOrder = definition.columns.map((_, index) => index)
  writer.head(output)
  for (const row of rows) {
    writer.row(output, rowOf(row), indexes ?? inOrder)
    while (writer.step?.() === true);
  }
  const fields = new Map(Object.entries(totals))
  const rowCount = rows.length
  const { period } = subject
  const of = { rowCount, currencyOf: () => definition.currency, period, today: '2026-11-21' }
  const summary = definition.summarize({ fields, ...of })
  writer.tail(output, { totals: fields, rowCount, summary })
  while (writer.step?.() === true);
  return takeChunk(output)
}

/** Cells of a table with bars between its columns. */
export const cellsOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
