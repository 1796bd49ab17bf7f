/** The small parts of a workbook with two sheets. Knows nothing of reports. */
import { STYLES_XML } from './styles.ts'
import { MAIN, shortened, XML, xmlText } from './xml.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts before the sheets: programs detect the file type by the first part. */
export const FIRST_PARTS: ReadonlyArray<readonly [name: string, xml: string]> = [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>
<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/>
<Override PartName="/xl/sharedStrings.xml" ContentType="${SPREADSHEET}.sharedStrings+xml"/>
</Types>`,
  ],
  ['_rels/.rels', relationships({ 'xl/workbook.xml': 'officeDocument' })],
  [
    'xl/_rels/workbook.xml.rels',
    relationships({
      'worksheets/sheet1.xml': 'worksheet',
      'worksheets/sheet2.xml': 'worksheet',
      'styles.xml': 'styles',
      'sharedStrings.xml': 'sharedStrings',
    }),
  ],
  ['xl/styles.xml', STYLES_XML],
]

/** @param types by part */
function relationships(types: Readonly<Record<string, string>>): string {
  const items = Object.entries(types).map(([part, type], at) => {
    return `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${part}"/>`
  })
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`
}

/**
 * @param title of the report @param about name of the second sheet
 * @param filtered cells of the first sheet, `A6:D12`: its titles and rows, without totals
 * @param titlesRow number of the row that is repeated on each printed page, as is the first column
 */
export function workbookXml(
  title: string,
  about: string,
  filtered: string,
  titlesRow: number,
): string {
  const name = sheetName(title, about)
  const quoted = xmlText(`'${name.replaceAll("'", "''")}'`)
  const absolute = filtered.replaceAll(/[A-Z]+|\d+/g, '$$$&')
  // why: a wide table is printed on pages side by side
  const repeated = `${quoted}!$A:$A,${quoted}!$${titlesRow}:$${titlesRow}`
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">
<bookViews><workbookView activeTab="0"/></bookViews>
<sheets><sheet name="${xmlText(name)}" sheetId="1" r:id="rId1"/><sheet name="${about}" sheetId="2" r:id="rId2"/></sheets>
<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${quoted}!${absolute}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">${repeated}</definedName></definedNames>
</workbook>`
}

/** Excel's own limit, in UTF-16 code units. */
const MAX_SHEET_NAME = 31

/** The title as a valid sheet name; Excel reserves `History`. @param other name of the other sheet */
function sheetName(title: string, other: string): string {
  const printable = title
    .replaceAll(/[[\]:*?/\\\p{Cc}\ufffe\uffff]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[' ]+/, '')
  const name = shortened(printable, MAX_SHEET_NAME).replace(/[' ]+$/, '')
  const reserved = ['', 'history', other.toLowerCase()]
  return reserved.includes(name.toLowerCase()) ? 'Отчёт' : name
}
