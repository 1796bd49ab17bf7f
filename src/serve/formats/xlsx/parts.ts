/** The small parts of a workbook with two sheets. Knows nothing of reports. */
import { byteTextOf, stringOf } from '../byte-text.ts'
import { xmlText } from './text.ts'

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const DATA_PART = 'xl/worksheets/sheet1.xml'
export const ABOUT_PART = 'xl/worksheets/sheet2.xml'
export const TEXTS_PART = 'xl/sharedStrings.xml'
export const STYLES_PART = 'xl/styles.xml'
export const WORKBOOK_PART = 'xl/workbook.xml'

/** The parts before the sheets: programs detect the file type by the first part. */
export const FIRST_PARTS: ReadonlyArray<readonly [name: string, xml: string]> = [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/${WORKBOOK_PART}" ContentType="${SPREADSHEET}.sheet.main+xml"/>
<Override PartName="/${DATA_PART}" ContentType="${SPREADSHEET}.worksheet+xml"/>
<Override PartName="/${ABOUT_PART}" ContentType="${SPREADSHEET}.worksheet+xml"/>
<Override PartName="/${STYLES_PART}" ContentType="${SPREADSHEET}.styles+xml"/>
<Override PartName="/${TEXTS_PART}" ContentType="${SPREADSHEET}.sharedStrings+xml"/>
</Types>`,
  ],
  ['_rels/.rels', relationships({ officeDocument: [WORKBOOK_PART] })],
  [
    'xl/_rels/workbook.xml.rels',
    relationships({
      worksheet: ['worksheets/sheet1.xml', 'worksheets/sheet2.xml'],
      styles: ['styles.xml'],
      sharedStrings: ['sharedStrings.xml'],
    }),
  ],
]

function relationships(targets: Readonly<Record<string, readonly string[]>>): string {
  const items = Object.entries(targets)
    .flatMap(([type, all]) => all.map(target => [type, target]))
    .map(
      ([type, to], at) =>
        `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${to}"/>`,
    )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`
}

/** In parts that are written from strings. */
export function escaped(text: string): string {
  return stringOf(xmlText(byteTextOf(text)))
}

/**
 * @param filtered cells of the first sheet, `$A$6:$D$12`: its titles and rows, without totals
 * @param titlesRow number of the row that is repeated on each printed page, as is the first column
 */
export function workbookXml(
  names: readonly [string, string],
  filtered: string,
  titlesRow: number,
): string {
  const [data, about] = names
  const quoted = escaped(`'${data.replaceAll("'", "''")}'`)
  // why: a wide table is printed on pages side by side
  const repeated = `${quoted}!$A:$A,${quoted}!$${titlesRow}:$${titlesRow}`
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">
<bookViews><workbookView activeTab="0"/></bookViews>
<sheets><sheet name="${escaped(data)}" sheetId="1" r:id="rId1"/><sheet name="${about}" sheetId="2" r:id="rId2"/></sheets>
<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${quoted}!${filtered}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">${repeated}</definedName></definedNames>
</workbook>`
}

/** Excel's own limit, in UTF-16 code units. */
const MAX_SHEET_NAME = 31

/** The title as a valid sheet name; Excel reserves `History`. @param other name of the other sheet */
export function sheetName(title: string, other: string): string {
  const name = title
    .replaceAll(/[[\]:*?/\\\p{Cc}\ufffe\uffff]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[' ]+/, '')
    .slice(0, MAX_SHEET_NAME)
    // why: the slice may end in half of a surrogate pair
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[' ]+$/, '')
  const reserved = ['', 'history', other.toLowerCase()]
  return reserved.includes(name.toLowerCase()) ? 'Отчёт' : name
}
