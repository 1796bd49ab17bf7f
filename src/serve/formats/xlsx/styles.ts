/** Cell styles: `xl/styles.xml`, and the number of each style. */
import { MAIN, XML } from './parts.ts'
import { xmlText } from './text.ts'

/** Text format, so that editing a text such as `=1+1` does not turn it into a formula. */
const TEXT = '@'

const NUMBER_FORMATS = {
  text: TEXT,
  /** Numbers and dates that Excel cannot represent. */
  digits: TEXT,
  integer: '#,##0',
  decimals0: '#,##0',
  decimals1: '#,##0.0',
  decimals2: '#,##0.00',
  decimals3: '#,##0.000',
  decimals4: '#,##0.0000',
  percent0: '0\\ %',
  percent1: '0.0\\ %',
  percent2: '0.00\\ %',
  percent3: '0.000\\ %',
  percent4: '0.0000\\ %',
  money: '#,##0.00\\ "₽"',
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

/** Column titles. */
export const TITLE_STYLE = 1
/** Texts that may need several lines. */
export const LINES_STYLE = 2
/** A cell of the totals row without a total. */
export const NO_TOTAL_STYLE = 3
const FIRST_STYLE = 4

const PLAIN_ATTRIBUTES = 'fontId="0" fillId="0" borderId="0"'
const TOTAL_ATTRIBUTES = 'fontId="1" fillId="0" borderId="2" applyFont="1" applyBorder="1"'

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
    '<xf numFmtId="0" fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment vertical="center" wrapText="1"/></xf>',
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment horizontal="left" vertical="top" wrapText="1"/></xf>',
    `<xf numFmtId="0" ${TOTAL_ATTRIBUTES} xfId="0"/>`,
    ...NAMES.map((name, at) => style(name, at, PLAIN_ATTRIBUTES)),
    ...NAMES.map((name, at) => style(name, at, TOTAL_ATTRIBUTES)),
  ]
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
  return [
    `${XML}<styleSheet xmlns="${MAIN}">`,
    counted('numFmts', formats),
    counted('fonts', [`<font>${font}</font>`, `<font><b/>${font}</font>`]),
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
    '</styleSheet>',
  ].join('')
}

function style(name: CellStyle, at: number, attributes: string): string {
  const start = `<xf numFmtId="${FIRST_FORMAT + at}" ${attributes} xfId="0" applyNumberFormat="1"`
  if (name !== 'digits') return `${start}/>`
  return `${start} applyAlignment="1"><alignment horizontal="right"/></xf>`
}

function border(top: string, bottom: string): string {
  return `<border><left/><right/>${top}${bottom}<diagonal/></border>`
}

function counted(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`
}
