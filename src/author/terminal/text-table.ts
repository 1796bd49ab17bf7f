/**
 * A report as a terminal shows it: a title, aligned columns, totals last, the sentence under them. Knows
 * widths of texts; which terminal it is, it is told.
 */
import { isNumeric, periodWords } from '../../definitions/words.ts'
import { alignedLine } from './columns.ts'
import { shortened } from './text-width.ts'
import type { Column, Period, RawField } from '../../model/terms.ts'
import { TOTALS_LABEL } from '../../serve/formats/format.ts'
import type { Ending, Format, Subject } from '../../serve/formats/format.ts'
import { layOutTable, type TableLayout } from './table-layout.ts'
import { createTextField } from './text-field.ts'
import { writtenAsText, type TextWriter } from './text-writer.ts'

export interface TextTableOptions {
  /** Whom the title names; the organization's id by default. */
  readonly organizationName?: string | undefined
  /** Of a line; nothing is shortened where it is undefined. */
  readonly maxWidth?: number | undefined
  /** So many rows are looked at to tell how wide the columns are: later ones go out as they come. */
  readonly measuredRows?: number
}

const MEASURED_ROWS = 1000

/** What a sum of more rows than are looked at may need: `−999 999 999 999,99`. */
const LATER_MONEY_WIDTH = 19

export function textTable(options: TextTableOptions): Format {
  return {
    name: 'text',
    extension: 'txt',
    contentType: 'text/plain; charset=utf-8',
    isText: true,
    createWriter: subject => writtenAsText(createTableWriter(subject, options)),
  }
}

/** `Прибыли и убытки, 2026 год: business, Europe/Moscow` */
export function tableTitle(
  title: string,
  period: Period,
  organizationName: string,
  timeZone: string,
): string {
  return `${title}, ${periodWords(period)}: ${organizationName}, ${timeZone}`
}

export function createTableWriter(
  { definition, organization, period }: Subject,
  { organizationName = organization.id, maxWidth, measuredRows = MEASURED_ROWS }: TextTableOptions,
): TextWriter {
  const { columns } = definition
  const fields = columns.map(({ key, type }) => createTextField(key, type, organization.timeZone))
  const sides = columns.map(({ type }) => (isNumeric(type) ? 'right' : 'left'))
  let measured: string[][] = []
  let layout: TableLayout | undefined

  function line(cells: readonly string[], { widths }: TableLayout): string {
    const fitting = maxWidth === undefined ? cells : cells.map(shortenAt(columns, widths))
    return `${alignedLine(fitting, widths, sides)}\n`
  }

  /** The column titles and all rows that have waited for them. */
  function begin(found: TableLayout): string {
    layout = found
    const titles = found.titleLines.map(cells => `${alignedLine(cells, found.widths, sides)}\n`)
    const rows = measured.map(cells => line(cells, found))
    measured = []
    return [...titles, found.rule, ...rows].join('')
  }

  function totalCells({ totals }: Ending): string[] {
    return columns.map(({ key, type }, at) => {
      if (key === definition.labelColumn) return TOTALS_LABEL
      const raw = totals.get(key) ?? null
      const none = definition.source.matter.columns[key]?.total === 'none'
      // why: a ratio that is undefined is worth a dash, a column that has no total is not
      return raw === null && (none || !isNumeric(type)) ? '' : (fields[at]?.(raw) ?? '')
    })
  }

  return {
    head() {
      const { title } = definition
      return `${tableTitle(title, period, organizationName, organization.timeZone)}\n\n`
    },
    row(raw: readonly RawField[]) {
      const cells = fields.map((field, at) => field(raw[at] ?? null))
      if (layout !== undefined) return line(cells, layout)
      measured.push(cells)
      if (measured.length < measuredRows) return ''
      const room = columns.map(roomOf)
      return begin(layOutTable(columns, measured, room, maxWidth))
    },
    tail(ending) {
      const cells = totalCells(ending)
      const rows =
        layout === undefined ? begin(layOutTable(columns, [...measured, cells], [], maxWidth)) : ''
      const { rule } = layout!
      const between = ending.rowCount === 0 ? '' : rule
      return `${rows}${between}${line(cells, layout!)}\n${ending.summary}\n`
    },
  }
}

/** What later rows and totals may need. */
function roomOf({ type }: Column): number {
  return type === 'money' ? LATER_MONEY_WIDTH : TOTALS_LABEL.length
}

/** Figures and dates are whole, or nothing. */
function shortenAt(columns: readonly Column[], widths: readonly number[]) {
  return (cell: string, at: number): string =>
    columns[at]?.type === 'text' ? shortened(cell, widths[at] ?? 0) : cell
}
