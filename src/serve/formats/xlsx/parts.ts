/** The small parts of a workbook of two sheets. Knows what a workbook is, and nothing of reports. */
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

/** What stands before the sheets: programs look at the first part to tell what a file is. */
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
  const each = targets.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`
}

/**
 * @param filtered cells of the first sheet, `$A$1:$D$12`: its titles and rows, without totals
 */
export function workbookXml(names: readonly [string, string], filtered: string): string {
  const [data] = names
  const quoted = xmlText(`'${data.replaceAll("'", "''")}'`)
  const sheets = names.map(
    (name, at) => `<sheet name="${attribute(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  )
  return [
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">`,
    '<bookViews><workbookView activeTab="0"/></bookViews>',
    `<sheets>${sheets.join('')}</sheets><definedNames>`,
    `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${quoted}!${filtered}</definedName>`,
    `<definedName name="_xlnm.Print_Titles" localSheetId="0">${quoted}!$1:$1</definedName>`,
    '</definedNames></workbook>',
  ].join('')
}

function attribute(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;')
}

/** What Excel, which keeps `History` to itself, lets a sheet be called, and as much of the title as fits. @param other that it must not be called */
export function sheetName(title: string, other: string): string {
  const name = title
    .replaceAll(/[[\]:*?/\\\p{Cc}\ufffe\uffff]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[' ]+/, '')
    .slice(0, MAX_SHEET_NAME)
    // why: half of a character may be left
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[' ]+$/, '')
  const taken = ['', 'history', other.toLowerCase()]
  return taken.includes(name.toLowerCase()) ? 'Отчёт' : name
}

/** `A`, `Z`, `AA` for 0, 25, 26. */
export function columnLetters(order: number): string {
  const last = String.fromCharCode(65 + (order % 26))
  return order < 26 ? last : columnLetters(Math.floor(order / 26) - 1) + last
}
