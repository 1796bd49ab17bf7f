/**
 * Writes an Excel workbook: a sheet with the report's title, a table of typed cells and totals, and a sheet that
 * describes the report.
 */
import type { BodySubject, BodyWriter, Format } from '../format.ts'
import { writeBytes } from '../output.ts'
import { aboutSheet } from './about.ts'
import type { Notes } from './cell.ts'
import { createDataSheet, TITLES_ROW } from './data-sheet.ts'
import { createStyles } from './styles.ts'
import { createTexts, MAIN, XML } from './texts.ts'
import { createZipFile } from './zip.ts'
import { textsIn } from '../../../texts/texts.ts'

export const XLSX_FORMAT: Format = {
  name: 'xlsx',
  extension: 'xlsx',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isText: false,
  // why: a sheet has at most 1,048,576 rows; the last one is for totals
  maxRows: 1_048_575 - TITLES_ROW,
  createWriter,
}

const STYLES_PART = 'xl/styles.xml'
const DATA_PART = 'xl/worksheets/sheet1.xml'

function createWriter(subject: BodySubject): BodyWriter {
  const texts = createTexts()
  const notes: Notes = new Map()
  const styles = createStyles(subject.definition)
  /** Rows have currencies that are not known before. */
  const hasLateStyles = subject.definition.columns.some(({ currency }) => currency !== undefined)
  const sheet = createDataSheet(subject, texts, notes, styles)
  let zip: ReturnType<typeof createZipFile>
  return {
    head(output) {
      zip = createZipFile(bytes => writeBytes(output, bytes))
      for (const [name, xml] of Object.entries(FIRST_PARTS)) zip.write(name, xml)
      if (!hasLateStyles) zip.write(STYLES_PART, styles.part())
    },
    row: (_output, row, indexes) => zip.write(DATA_PART, sheet.row(row, indexes)),
    tail(_output, ending) {
      const { xml, filtered } = sheet.end(ending)
      zip.write(DATA_PART, xml)
      if (hasLateStyles) zip.write(STYLES_PART, styles.part())
      zip.write('xl/worksheets/sheet2.xml', aboutSheet(subject, ending, texts, notes, styles))
      zip.write('xl/sharedStrings.xml', texts.part())
      zip.write('xl/workbook.xml', workbookXml(filtered, subject.definition.product.language))
      zip.end()
    },
  }
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts before the sheets by name: programs detect the file type by the first part. */
const FIRST_PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>
<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/>
<Override PartName="/xl/sharedStrings.xml" ContentType="${SPREADSHEET}.sharedStrings+xml"/>
</Types>`,
  '_rels/.rels': relationships({ 'xl/workbook.xml': 'officeDocument' }),
  'xl/_rels/workbook.xml.rels': relationships({
    'worksheets/sheet1.xml': 'worksheet',
    'worksheets/sheet2.xml': 'worksheet',
    'styles.xml': 'styles',
    'sharedStrings.xml': 'sharedStrings',
  }),
}

/** @param types by part */
function relationships(types: Readonly<Record<string, string>>): string {
  const items = Object.entries(types).map(([part, type], at) => {
    return `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${part}"/>`
  })
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`
}

/**
 * The sheets have the same names in every report, so that a formula or query in another workbook finds them.
 * why: without `_FilterDatabase` Excel crashes when a filter sorts, and LibreOffice has no filter (exceljs#400,
 * tdf#118592)
 * @param filtered cells of the first sheet, `A6:D12`: its titles and rows, without totals
 */
function workbookXml(filtered: string, language: string): string {
  const { sheet, aboutSheet } = textsIn(language).bodies.workbook
  const cells = filtered.replaceAll(/[A-Z]+|\d+/g, '$$$&')
  const titlesRow = /\$\d+/.exec(cells)?.[0]
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">
<bookViews><workbookView activeTab="0"/></bookViews>
<sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/><sheet name="${aboutSheet}" sheetId="2" r:id="rId2"/></sheets>
<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${sheet}'!${cells}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">'${sheet}'!$A:$A,'${sheet}'!${titlesRow}:${titlesRow}</definedName></definedNames>
</workbook>`
}
