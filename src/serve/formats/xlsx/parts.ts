/** The small parts of a workbook with two sheets. Knows nothing of reports. */
import { xmlText } from './text.ts'

export const DATA_PART = 'xl/worksheets/sheet1.xml'
export const ABOUT_PART = 'xl/worksheets/sheet2.xml'
export const TEXTS_PART = 'xl/sharedStrings.xml'

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Excel's own limit, in UTF-16 code units. */
const MAX_SHEET_NAME = 31

/** The parts before the sheets: programs detect the file type by the first part. */
export const FIRST_PARTS: ReadonlyArray<readonly [name: string, xml: string]> = [
  [
    '[Content_Types].xml',
    [
      `${XML}<Types xmlns="${PACKAGE}/content-types">`,
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
      '<Default Extension="xml" ContentType="application/xml"/>',
      override('xl/workbook.xml', 'sheet.main'),
      override(DATA_PART, 'worksheet'),
      override(ABOUT_PART, 'worksheet'),
      override('xl/styles.xml', 'styles'),
      override(TEXTS_PART, 'sharedStrings'),
      '</Types>',
    ].join(''),
  ],
  ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
  [
    'xl/_rels/workbook.xml.rels',
    relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['worksheet', 'worksheets/sheet2.xml'],
      ['styles', 'styles.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
  ],
]

function override(part: string, type: string): string {
  return `<Override PartName="/${part}" ContentType="${SPREADSHEET}.${type}+xml"/>`
}

function relationships(targets: ReadonlyArray<readonly [type: string, target: string]>): string {
  const items = targets.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`
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
  const [data] = names
  const quoted = xmlText(`'${data.replaceAll("'", "''")}'`)
  const sheets = names.map(
    (name, at) => `<sheet name="${attribute(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  )
  // why: a wide table is printed on pages side by side
  const repeated = `${quoted}!$A:$A,${quoted}!$${titlesRow}:$${titlesRow}`
  return [
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">`,
    '<bookViews><workbookView activeTab="0"/></bookViews>',
    `<sheets>${sheets.join('')}</sheets><definedNames>`,
    `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${quoted}!${filtered}</definedName>`,
    `<definedName name="_xlnm.Print_Titles" localSheetId="0">${repeated}</definedName>`,
    '</definedNames></workbook>',
  ].join('')
}

function attribute(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;')
}

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

/** `A`, `Z`, `AA` for 0, 25, 26. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}
