/**
 * Writes an Excel workbook: a sheet with the report's title, a table of typed cells and totals, and a sheet that
 * describes the report.
 */
import type { BodySubject, BodyWriter, Format } from '../format.ts'
import { writeBytes } from '../output.ts'
import { aboutSheet, ABOUT_NAME } from './about.ts'
import { createDataSheet, TITLES_ROW, TOTALS_ROWS } from './data-sheet.ts'
import {
  ABOUT_PART,
  DATA_PART,
  FIRST_PARTS,
  sheetName,
  STYLES_PART,
  TEXTS_PART,
  WORKBOOK_PART,
  workbookXml,
} from './parts.ts'
import { createSharedTexts } from './shared-texts.ts'
import { filteredCells } from './sheet.ts'
import { STYLES_XML } from './styles.ts'
import { createZipFile, type ZipFile } from './zip.ts'

const MAX_SHEET_ROWS = 1_048_576

export const XLSX_FORMAT: Format = {
  name: 'xlsx',
  extension: 'xlsx',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isText: false,
  maxRows: MAX_SHEET_ROWS - TITLES_ROW - TOTALS_ROWS,
  createWriter: createXlsxWriter,
}

const STATIC_PARTS = [...FIRST_PARTS, [STYLES_PART, STYLES_XML] as const]

function createXlsxWriter(subject: BodySubject): BodyWriter {
  const { title, columns } = subject.definition
  const shared = createSharedTexts()
  const sheet = createDataSheet(subject, shared, bytes => zip.write(bytes))
  let zip: ZipFile

  function writePart(name: string, bytes: Buffer): void {
    zip.part(name)
    zip.write(bytes)
  }

  return {
    head(output) {
      zip = createZipFile(bytes => writeBytes(output, bytes))
      for (const [name, xml] of STATIC_PARTS) writePart(name, Buffer.from(xml))
      zip.part(DATA_PART)
    },
    row: (_output, row, indexes) => sheet.row(row, indexes),
    step: () => zip.step(),
    tail(_output, ending) {
      const table = {
        columnCount: columns.length,
        titlesRow: TITLES_ROW,
        rowCount: ending.rowCount,
      }
      sheet.end(ending, table)
      writePart(ABOUT_PART, Buffer.from(aboutSheet(subject, ending, shared), 'latin1'))
      writePart(TEXTS_PART, shared.take())
      const names = [sheetName(title, ABOUT_NAME), ABOUT_NAME] as const
      writePart(WORKBOOK_PART, Buffer.from(workbookXml(names, filteredCells(table), TITLES_ROW)))
      zip.end()
    },
  }
}
