/**
 * Writes an Excel workbook: a sheet of titles, typed cells and totals, and a sheet that describes the report. Rows are
 * compressed immediately and not retained.
 */
import { numberWords, periodDates } from '../../../definitions/words.ts'
import type { BodyWriter, Ending, Format, BodySubject } from '../format.ts'
import { pieceOf, writeBytes, type Output } from '../output.ts'
import { IN_ORDER, rowOfTexts, totalsRow } from '../text-row.ts'
import { createWriteCell, textCell } from './cell.ts'
import { ABOUT_PART, DATA_PART, FIRST_PARTS, sheetName, TEXTS_PART, workbookXml } from './parts.ts'
import { createSheet, type Sheet, type SheetColumn } from './row.ts'
import { createSharedTexts } from './shared.ts'
import { ABOUT_HEAD, ABOUT_TAIL, dataSheetHead, dataSheetTail, filteredCells } from './sheet.ts'
import { LINES_STYLE, NO_TOTAL_STYLE, stylesXml, TITLE_STYLE } from './styles.ts'
import { createZipFile } from './zip.ts'

const MAX_SHEET_ROWS = 1_048_576
/** Titles and totals. */
const EXTRA_ROWS = 2
const ABOUT_NAME = 'Об отчёте'
const STYLES = stylesXml()
const BLANK_TOTAL = pieceOf(`" s="${NO_TOTAL_STYLE}"/>`)

export const XLSX_FORMAT: Format = {
  name: 'xlsx',
  extension: 'xlsx',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isText: false,
  maxRows: MAX_SHEET_ROWS - EXTRA_ROWS,
  createWriter: createXlsxWriter,
}

/** `row` and `tail` throw OutputFullError for values that Excel cannot contain. */
function createXlsxWriter({ definition, organization, period }: BodySubject): BodyWriter {
  const { columns, title } = definition
  const { timeZone } = organization
  const shared = createSharedTexts()
  const rowColumns = sheetColumns(false)
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

  function writeAbout({ rowCount, summary }: Ending): void {
    const about = createSheet(zip.part(ABOUT_PART), 2)
    const aboutColumns = [textColumn('name', LINES_STYLE), textColumn('value', LINES_STYLE)]
    about.xml(ABOUT_HEAD)
    for (const line of [
      ['Отчёт', title],
      ['Период', periodDates(period)],
      ['Часовой пояс', timeZone],
      ['Строк', numberWords(String(rowCount), 'integer')],
      ['Вывод', summary],
    ]) {
      about.row(rowOfTexts(line), IN_ORDER, aboutColumns)
    }
    about.xml(ABOUT_TAIL)
    about.end()
  }

  return {
    head(to) {
      output = to
      for (const [name, xml] of FIRST_PARTS) zip.whole(name, xml)
      zip.whole('xl/styles.xml', STYLES)
      sheet = createSheet(zip.part(DATA_PART), columns.length)
      sheet.xml(dataSheetHead(columns))
      const titleColumns = columns.map(({ title }) => textColumn(title, TITLE_STYLE))
      sheet.row(rowOfTexts(columns.map(({ title }) => title)), IN_ORDER, titleColumns)
    },
    row(to, row, indexes) {
      output = to
      sheet.row(row, indexes, rowColumns)
    },
    tail(to, ending) {
      output = to
      const { totals, rowCount } = ending
      sheet.row(totalsRow(definition, totals), IN_ORDER, sheetColumns(true))
      sheet.xml(dataSheetTail(columns, rowCount))
      sheet.end()
      writeAbout(ending)
      const texts = zip.part(TEXTS_PART)
      texts.write(shared.take())
      texts.end()
      const names = [sheetName(title, ABOUT_NAME), ABOUT_NAME] as const
      zip.whole('xl/workbook.xml', workbookXml(names, filteredCells(columns, rowCount)))
      zip.end()
    },
  }
}
