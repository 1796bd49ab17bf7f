/**
 * Writes an Excel workbook: a sheet with the report's title, a table of typed cells and totals, and a sheet that
 * describes the report. Rows are compressed as they are written, except the first, by which column widths are chosen.
 */
import type { Bytes, ColumnType } from '../../../model/terms.ts'
import { isDateType } from '../date-range.ts'
import type { BodyWriter, Ending, Format, BodySubject } from '../format.ts'
import { pieceOf, writeBytes, type Output } from '../output.ts'
import { IN_ORDER, rowOfTexts, totalsRow } from '../text-row.ts'
import { columnFacts, documentLines, reportFacts, type ReportFact } from './about.ts'
import { createWriteCell, textCell } from './cell.ts'
import { createContents, MAX_MEASURED_ROWS, type ColumnLayout } from './column-layout.ts'
import { ABOUT_PART, DATA_PART, FIRST_PARTS, sheetName, TEXTS_PART, workbookXml } from './parts.ts'
import { createSheet, type Sheet, type SheetColumn } from './row.ts'
import { createSharedTexts } from './shared.ts'
import {
  ABOUT_HEAD,
  aboutSheetTail,
  ABOUT_WIDTHS,
  dataSheetHead,
  dataSheetTail,
  filteredCells,
  heightOf,
} from './sheet.ts'
import {
  DATE_TITLE_STYLE,
  DOCUMENT_LINE_STYLE,
  DOCUMENT_TITLE_STYLE,
  FACT_NAME_STYLE,
  LINES_STYLE,
  NO_TOTAL_STYLE,
  NUMBER_TITLE_STYLE,
  stylesXml,
  TEXT_TITLE_STYLE,
} from './styles.ts'
import { createZipFile } from './zip.ts'

const MAX_SHEET_ROWS = 1_048_576
/** The row with the column titles, in every report. Above it: title, organization, period, time of the data. */
const TITLES_ROW = 6
/** The totals. */
const LAST_ROWS = 1
/** XML and texts of the rows that are held until column widths are known. */
const MAX_HELD_BYTES: Bytes = 768 * 1024
/** In points. */
const DOCUMENT_TITLE_HEIGHT = 24
const TITLES_PADDING = 8
/** Width of a letter in digits of the default font, for the title of 14 points and for the lines below. */
const DOCUMENT_TITLE_WIDTH = 1.5
const DOCUMENT_LINE_WIDTH = 1.1
/** Longer lines may be wider than the table. */
const MAX_DOCUMENT_WIDTH = 100
const ABOUT_NAME = 'Об отчёте'
const STYLES = stylesXml()
const BLANK_TOTAL = pieceOf(`" s="${NO_TOTAL_STYLE}"/>`)

export const XLSX_FORMAT: Format = {
  name: 'xlsx',
  extension: 'xlsx',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isText: false,
  maxRows: MAX_SHEET_ROWS - TITLES_ROW - LAST_ROWS,
  createWriter: createXlsxWriter,
}

function titleStyle(type: ColumnType): number {
  if (type === 'text') return TEXT_TITLE_STYLE
  return isDateType(type) ? DATE_TITLE_STYLE : NUMBER_TITLE_STYLE
}

/** `row` and `tail` throw OutputFullError for values that Excel cannot contain. */
function createXlsxWriter(subject: BodySubject): BodyWriter {
  const { definition, organization } = subject
  const { columns, title } = definition
  const { timeZone } = organization
  const shared = createSharedTexts()
  const rowColumns = sheetColumns(false)
  const lines = documentLines(subject)
  const contents = createContents(columns)
  /** Undefined while rows are held. */
  let layout: ColumnLayout | undefined
  let output: Output
  let sheet: Sheet
  const zip = createZipFile(bytes => writeBytes(output, bytes))

  function sheetColumns(isTotal: boolean): SheetColumn[] {
    return columns.map(column => ({
      key: column.key,
      type: column.type,
      write: createWriteCell({ ...column, timeZone, isTotal, shared }),
      blank: isTotal ? BLANK_TOTAL : undefined,
    }))
  }

  function textColumn(key: string, style: number): SheetColumn {
    const write = textCell({ title: key, shared }, style)
    return { key, type: 'text', write, blank: undefined }
  }

  /** Writes everything above the held rows, and the held rows. */
  function beginRows(isComplete: boolean): ColumnLayout {
    const minWidth = Math.max(
      title.length * DOCUMENT_TITLE_WIDTH,
      ...lines.map(({ length }) => length * DOCUMENT_LINE_WIDTH),
    )
    const chosen = contents.layout({
      isComplete,
      minWidth: Math.min(Math.ceil(minWidth), MAX_DOCUMENT_WIDTH),
    })
    sheet.release(
      rowIndex => heightOf(chosen.measuredLines(rowIndex)),
      () => {
        sheet.xml(dataSheetHead(chosen.widths, TITLES_ROW))
        writeLine(title, DOCUMENT_TITLE_STYLE, DOCUMENT_TITLE_HEIGHT)
        for (let row = 0; row < TITLES_ROW - 2; row += 1) {
          writeLine(lines[row] ?? null, DOCUMENT_LINE_STYLE, 0)
        }
        const titleColumns = columns.map(({ title, type }) => textColumn(title, titleStyle(type)))
        const titles = rowOfTexts(columns.map(({ title }) => title))
        const height = Math.max(heightOf(chosen.titleLines), heightOf(2) / 2) + TITLES_PADDING
        sheet.row(titles, IN_ORDER, titleColumns, height)
      },
    )
    return chosen
  }

  function writeLine(text: string | null, style: number, height: number): void {
    const row = rowOfTexts(columns.map((_, at) => (at === 0 ? text : null)))
    sheet.row(
      row,
      IN_ORDER,
      columns.map(({ key }) => textColumn(key, style)),
      height,
    )
  }

  function writeAbout(ending: Ending): void {
    const about = createSheet(zip.part(ABOUT_PART), ABOUT_WIDTHS.length)
    const write = (facts: readonly ReportFact[], nameStyle: number, valueStyle: number): void => {
      for (const fact of facts) {
        const lineCount = Math.max(
          ...fact.map(({ length }, at) =>
            Math.ceil((length * DOCUMENT_LINE_WIDTH) / ABOUT_WIDTHS[at]!),
          ),
        )
        const factColumns = [textColumn('name', nameStyle), textColumn('value', valueStyle)]
        about.row(rowOfTexts(fact), IN_ORDER, factColumns, heightOf(lineCount))
      }
    }
    about.xml(ABOUT_HEAD)
    write(reportFacts(subject, ending), FACT_NAME_STYLE, LINES_STYLE)
    write([['', '']], LINES_STYLE, LINES_STYLE)
    write([['Столбец', 'Что в нём']], TEXT_TITLE_STYLE, TEXT_TITLE_STYLE)
    write(columnFacts(definition), LINES_STYLE, LINES_STYLE)
    about.xml(aboutSheetTail(title))
    about.end()
  }

  return {
    head(to) {
      output = to
      for (const [name, xml] of FIRST_PARTS) zip.whole(name, xml)
      zip.whole('xl/styles.xml', STYLES)
      sheet = createSheet(zip.part(DATA_PART), columns.length)
      sheet.hold(TITLES_ROW)
    },
    row(to, row, indexes) {
      output = to
      if (layout !== undefined) {
        return sheet.row(row, indexes, rowColumns, heightOf(layout.linesOf(row, indexes)))
      }
      sheet.row(row, indexes, rowColumns, 0)
      contents.measure(row, indexes)
      const heldBytes = sheet.heldBytes() + contents.byteCount()
      if (contents.rowCount() === MAX_MEASURED_ROWS || heldBytes >= MAX_HELD_BYTES) {
        layout = beginRows(false)
      }
    },
    tail(to, ending) {
      output = to
      const { totals, rowCount } = ending
      const lastRow = totalsRow(definition, totals)
      if (layout === undefined) {
        contents.measureTotals(lastRow, IN_ORDER)
        layout = beginRows(true)
      }
      sheet.row(lastRow, IN_ORDER, sheetColumns(true), 0)
      const table = { columnCount: columns.length, titlesRow: TITLES_ROW, rowCount }
      sheet.xml(dataSheetTail(table, title, layout.pagesWide))
      sheet.end()
      writeAbout(ending)
      const texts = zip.part(TEXTS_PART)
      texts.write(shared.take())
      texts.end()
      const names = [sheetName(title, ABOUT_NAME), ABOUT_NAME] as const
      zip.whole('xl/workbook.xml', workbookXml(names, filteredCells(table), TITLES_ROW))
      zip.end()
    },
  }
}
