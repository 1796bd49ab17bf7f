/**
 * Writes an Excel workbook: a sheet with the report's title, a table of typed cells and totals, and a sheet that
 * describes the report.
 */
import type { BodySubject, BodyWriter, Format } from '../format.ts'
import { writeBytes } from '../output.ts'
import { aboutSheet } from './about.ts'
import type { Notes } from './cell.ts'
import { createDataSheet, TITLES_ROW } from './data-sheet.ts'
import { FIRST_PARTS, workbookXml } from './parts.ts'
import { createTexts } from './texts.ts'
import { createZipFile } from './zip.ts'

export const XLSX_FORMAT: Format = {
  name: 'xlsx',
  extension: 'xlsx',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isText: false,
  // why: a sheet has at most 1,048,576 rows; the last one is for totals
  maxRows: 1_048_575 - TITLES_ROW,
  createWriter,
}

const DATA_PART = 'xl/worksheets/sheet1.xml'

function createWriter(subject: BodySubject): BodyWriter {
  const texts = createTexts()
  const notes: Notes = new Map()
  const sheet = createDataSheet(subject, texts, notes)
  let zip: ReturnType<typeof createZipFile>
  return {
    head(output) {
      zip = createZipFile(bytes => writeBytes(output, bytes))
      for (const [name, xml] of Object.entries(FIRST_PARTS)) zip.write(name, xml)
    },
    row: (_output, row, indexes) => zip.write(DATA_PART, sheet.row(row, indexes)),
    tail(_output, ending) {
      const { xml, filtered } = sheet.end(ending)
      zip.write(DATA_PART, xml)
      zip.write('xl/worksheets/sheet2.xml', aboutSheet(subject, ending, texts, notes))
      zip.write('xl/sharedStrings.xml', texts.part())
      zip.write('xl/workbook.xml', workbookXml(filtered))
      zip.end()
    },
  }
}
