/**
 * Writes an Excel workbook: a sheet with the report's title, a table of typed cells and totals, and a sheet that
 * describes the report.
 */
import type { BodySubject, BodyWriter, Format } from '../format.ts'
import { writeBytes } from '../output.ts'
import { ABOUT_NAME, aboutSheet } from './about.ts'
import { createDataSheet, TITLES_ROW } from './data-sheet.ts'
import { FIRST_PARTS, workbookXml } from './parts.ts'
import { createTexts } from './texts.ts'
import { createZipFile, type ZipFile } from './zip.ts'

const MAX_SHEET_ROWS = 1_048_576
const TOTALS_ROWS = 1

export const XLSX_FORMAT: Format = {
  name: 'xlsx',
  extension: 'xlsx',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isText: false,
  maxRows: MAX_SHEET_ROWS - TITLES_ROW - TOTALS_ROWS,
  createWriter,
}

function createWriter(subject: BodySubject): BodyWriter {
  const texts = createTexts()
  const sheet = createDataSheet(subject, texts, piece =>
    zip.write('xl/worksheets/sheet1.xml', piece),
  )
  let zip: ZipFile
  const writePart = (name: string, xml: string): void => zip.write(name, Buffer.from(xml))

  return {
    head(output) {
      zip = createZipFile(bytes => writeBytes(output, bytes))
      for (const [name, xml] of FIRST_PARTS) writePart(name, xml)
    },
    row: (_output, row, indexes) => sheet.row(row, indexes),
    tail(_output, ending) {
      const filtered = sheet.end(ending)
      writePart('xl/worksheets/sheet2.xml', aboutSheet(subject, ending, texts))
      writePart('xl/sharedStrings.xml', texts.part())
      const { title } = subject.definition
      writePart('xl/workbook.xml', workbookXml(title, ABOUT_NAME, filtered, TITLES_ROW))
      zip.end()
    },
  }
}
