/** How cells look: `xl/styles.xml`, and the number by which a cell names its style. */
import { MAIN, XML } from './parts.ts'
import { xmlText } from './text.ts'

/** A text keeps its style when it is edited, so that `=1+1` does not become a sum then. */
const TEXT = '@'

const NUMBER_FORMATS = {
  text: TEXT,
  /** Figures and dates that Excel has no numbers for. */
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
  /** Without its own format, 23:59:59.9 would be shown as the next day. */
  fraction: 'dd\\.mm\\.yyyy\\ hh:mm:ss.000',
} as const

export type CellStyle = keyof typeof NUMBER_FORMATS

const NAMES = Object.keys(NUMBER_FORMATS) as CellStyle[]
/** Numbers below are Excel's own. */
const FIRST_FORMAT = 164

/** Of column titles. */
export const TITLE_STYLE = 1
/** Of a text that may need several lines. */
export const LINES_STYLE = 2
/** Of a total that there is none of; a formula may be put there. */
export const NO_TOTAL_STYLE = 3
const FIRST_STYLE = 4

const PLAIN_LOOK = 'fontId="0" fillId="0" borderId="0"'
const TOTAL_LOOK = 'fontId="1" fillId="0" borderId="2" applyFont="1" applyBorder="1"'

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
    `<xf numFmtId="0" ${TOTAL_LOOK} xfId="0"/>`,
    ...NAMES.map((name, at) => style(name, at, PLAIN_LOOK)),
    ...NAMES.map((name, at) => style(name, at, TOTAL_LOOK)),
  ]
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
  return [
    `${XML}<styleSheet xmlns="${MAIN}">`,
    counted('numFmts', formats),
    counted('fonts', [`<font>${font}</font>`, `<font><b/>${font}</font>`]),
    counted('fills', [
      // why: Excel takes the first two for its own, whatever they are
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

function style(name: CellStyle, at: number, look: string): string {
  const start = `<xf numFmtId="${FIRST_FORMAT + at}" ${look} xfId="0" applyNumberFormat="1"`
  if (name !== 'digits') return `${start}/>`
  return `${start} applyAlignment="1"><alignment horizontal="right"/></xf>`
}

function border(top: string, bottom: string): string {
  return `<border><left/><right/>${top}${bottom}<diagonal/></border>`
}

function counted(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`
}
