/** Cell styles: `xl/styles.xml`, and the number of each style. */
import { MAIN, XML } from './parts.ts'
import { xmlText } from './text.ts'

/** Text format, so that editing a text such as `=1+1` does not turn it into a formula. */
const TEXT = '@'

/** `_0` is a space as wide as a zero, which separates a number from a text in the next column. */
const NUMBER_FORMATS = {
  text: TEXT,
  /** Numbers and dates that Excel cannot represent. */
  digits: TEXT,
  integer: '#,##0_0',
  decimals0: '#,##0_0',
  decimals1: '#,##0.0_0',
  decimals2: '#,##0.00_0',
  decimals3: '#,##0.000_0',
  decimals4: '#,##0.0000_0',
  percent0: '0\\ %_0',
  percent1: '0.0\\ %_0',
  percent2: '0.00\\ %_0',
  percent3: '0.000\\ %_0',
  percent4: '0.0000\\ %_0',
  /** Zero is a dash: a total over no rows is zero. */
  money: '#,##0.00\\ "₽"_0;\\-#,##0.00\\ "₽"_0;"—"_0',
  date: 'dd\\.mm\\.yyyy',
  month: 'mm\\.yyyy',
  datetime: 'dd\\.mm\\.yyyy\\ hh:mm:ss',
  /** The format `datetime` would round 23:59:59.9 to the next day. */
  fraction: 'dd\\.mm\\.yyyy\\ hh:mm:ss.000',
} as const

export type CellStyle = keyof typeof NUMBER_FORMATS

const NAMES = Object.keys(NUMBER_FORMATS) as CellStyle[]
/** Lower numbers are built-in formats. */
const FIRST_FORMAT = 164

/** Column titles, aligned as the cells below. */
export const TEXT_TITLE_STYLE = 1
export const DATE_TITLE_STYLE = 2
export const NUMBER_TITLE_STYLE = 3
/** Texts that may need several lines. */
export const LINES_STYLE = 4
/** A cell of the totals row without a total. */
export const NO_TOTAL_STYLE = 5
/** The report's title, and the lines below. */
export const DOCUMENT_TITLE_STYLE = 6
export const DOCUMENT_LINE_STYLE = 7
/** Names of facts about the report. */
export const FACT_NAME_STYLE = 8
const FIRST_STYLE = 9

const DATES: ReadonlySet<string> = new Set(['date', 'month', 'datetime', 'fraction'])
/** Separates a title from the filter's button. why: LibreOffice indents some numbers only, so their formats end in `_0`. */
const NUMBER_ALIGNMENT = 'horizontal="right" indent="1"'
const DATE_ALIGNMENT = 'horizontal="center"'

const TITLE_ATTRIBUTES = 'fontId="1" fillId="2" borderId="1"'
const PLAIN_ATTRIBUTES = 'fontId="0" fillId="0" borderId="0"'
const TOTAL_ATTRIBUTES = 'fontId="1" fillId="2" borderId="2"'

/** Draws a line below a row, also below its empty cells: by a condition, so that those need not be written. */
export const ROW_LINE_FORMAT = 0

export function styleNumber(style: CellStyle, isTotal: boolean): number {
  return FIRST_STYLE + NAMES.indexOf(style) + (isTotal ? NAMES.length : 0)
}

export function stylesXml(): string {
  const formats = NAMES.map(
    (name, at) =>
      `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${xmlText(NUMBER_FORMATS[name]).replaceAll('"', '&quot;')}"/>`,
  )
  const styles = [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    ...['horizontal="left"', DATE_ALIGNMENT, NUMBER_ALIGNMENT].map(alignment =>
      textStyle(TITLE_ATTRIBUTES, `${alignment} vertical="center" wrapText="1"`),
    ),
    textStyle(PLAIN_ATTRIBUTES, 'horizontal="left" vertical="top" wrapText="1"'),
    xf(0, TOTAL_ATTRIBUTES, 'vertical="top"'),
    textStyle('fontId="2" fillId="0" borderId="0"', 'vertical="center"'),
    textStyle('fontId="3" fillId="0" borderId="0"', 'vertical="center"'),
    textStyle('fontId="3" fillId="0" borderId="0"', 'vertical="top" wrapText="1"'),
    ...NAMES.map((name, at) => style(name, at, PLAIN_ATTRIBUTES)),
    ...NAMES.map((name, at) => style(name, at, TOTAL_ATTRIBUTES)),
  ]
  return [
    `${XML}<styleSheet xmlns="${MAIN}">`,
    counted('numFmts', formats),
    counted('fonts', [font(11), font(11, '<b/>'), font(14, '<b/>'), font(11, '', GREY)]),
    counted('fills', [
      // why: Excel reserves the first two
      '<fill><patternFill patternType="none"/></fill>',
      '<fill><patternFill patternType="gray125"/></fill>',
      '<fill><patternFill patternType="solid"><fgColor rgb="FFF2F2F2"/><bgColor indexed="64"/></patternFill></fill>',
    ]),
    counted('borders', [
      border('<top/>', '<bottom/>'),
      border('<top/>', '<bottom style="thin"/>'),
      border('<top style="thin"/>', '<bottom/>'),
    ]),
    counted('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
    counted('cellXfs', styles),
    counted('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
    counted('dxfs', [`<dxf><border><bottom style="thin">${LINE_COLOR}</bottom></border></dxf>`]),
    '</styleSheet>',
  ].join('')
}

const GREY = '<color rgb="FF595959"/>'
const LINE_COLOR = '<color rgb="FFBFBFBF"/>'

function font(size: number, bold = '', color = ''): string {
  return `<font>${bold}<sz val="${size}"/>${color}<name val="Calibri"/><family val="2"/></font>`
}

/** In the text format, so that editing does not turn the text into a formula. */
function textStyle(attributes: string, alignment: string): string {
  return xf(FIRST_FORMAT + NAMES.indexOf('text'), attributes, alignment)
}

function style(name: CellStyle, at: number, attributes: string): string {
  const alignment =
    name === 'text'
      ? 'wrapText="1"'
      : name === 'digits'
        ? NUMBER_ALIGNMENT
        : DATES.has(name)
          ? DATE_ALIGNMENT
          : ''
  return xf(FIRST_FORMAT + at, attributes, `vertical="top" ${alignment}`)
}

function xf(format: number, attributes: string, alignment: string): string {
  return `<xf numFmtId="${format}" ${attributes} xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment ${alignment}/></xf>`
}

function border(top: string, bottom: string): string {
  return `<border><left/><right/>${top}${bottom}<diagonal/></border>`
}

function counted(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`
}
