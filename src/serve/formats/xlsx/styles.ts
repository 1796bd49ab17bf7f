/** Cell styles: `xl/styles.xml`, and the number of each style. */
import { MAIN, XML } from './xml.ts'

/** Text format, so that editing a text such as `=1+1` does not turn it into a formula. */
const TEXT = '@'
const DECIMALS = ['', '.0', '.00', '.000', '.0000']
/** Lower numbers are built-in formats. */
const FIRST_FORMAT = 164

const PLAIN = 'fontId="0" fillId="0" borderId="0"'
const TITLE = 'fontId="1" fillId="2" borderId="1"'
const TOTAL = 'fontId="1" fillId="2" borderId="2"'
const LARGE = 'fontId="2" fillId="0" borderId="0"'
const GREY = 'fontId="3" fillId="0" borderId="0"'
/** Separates a title from the filter's button. why: LibreOffice indents some numbers only, so their formats end in `_0`. */
const RIGHT = 'horizontal="right" indent="1"'
const CENTER = 'horizontal="center"'

const formats: string[] = []
const xfs = ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>']

/** Adds a style. @returns its number */
function style(format: string, look: string, alignment: string): number {
  if (!formats.includes(format)) formats.push(format)
  const id = FIRST_FORMAT + formats.indexOf(format)
  const xf = `<xf numFmtId="${id}" ${look} xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment ${alignment}/></xf>`
  return xfs.push(xf) - 1
}

export type CellStyles = ReturnType<typeof cellStyles>

/** `_0` is a space as wide as a zero, which separates a number from a text in the next column. */
function cellStyles(look: string) {
  const cell = (format: string, alignment = ''): number =>
    style(format, look, `vertical="top" ${alignment}`)
  return {
    text: cell(TEXT, 'wrapText="1"'),
    /** Numbers that Excel cannot represent. */
    digits: cell(TEXT, RIGHT),
    /** Of numbers by the number of decimals; the last is also for more. */
    integer: [cell('#,##0_0')],
    number: DECIMALS.map(decimals => cell(`#,##0${decimals}_0`)),
    percent: DECIMALS.map(decimals => cell(`0${decimals}\\ %_0`)),
    // why: zero is a dash, since a total over no rows is zero
    money: [cell('#,##0.00\\ &#34;₽&#34;_0;\\-#,##0.00\\ &#34;₽&#34;_0;&#34;—&#34;_0')],
    date: cell('dd\\.mm\\.yyyy', CENTER),
    month: cell('mm\\.yyyy', CENTER),
    datetime: cell('dd\\.mm\\.yyyy\\ hh:mm:ss', CENTER),
    /** The format of `datetime` would round 23:59:59.9 to the next day. */
    fraction: cell('dd\\.mm\\.yyyy\\ hh:mm:ss.000', CENTER),
  }
}

const title = (alignment: string): number =>
  style(TEXT, TITLE, `${alignment} vertical="center" wrapText="1"`)

export const STYLES = {
  row: cellStyles(PLAIN),
  total: cellStyles(TOTAL),
  /** Column titles, aligned as the cells below. */
  textTitle: title('horizontal="left"'),
  dateTitle: title(CENTER),
  numberTitle: title(RIGHT),
  documentTitle: style(TEXT, LARGE, 'vertical="center"'),
  /** Lines below the report's title, and names of facts about it. */
  grey: style(TEXT, GREY, 'vertical="top"'),
}

/** Draws a line below a row, also below its empty cells: by a condition, so that those need not be written. */
export const ROW_LINE_FORMAT = 0

const NUMBER_FORMATS = formats.map(
  (code, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${code}"/>`,
)
const CALIBRI = '<name val="Calibri"/><family val="2"/>'

// why: Excel reserves the first two fills
export const STYLES_XML = `${XML}<styleSheet xmlns="${MAIN}">
<numFmts count="${formats.length}">${NUMBER_FORMATS.join('')}</numFmts>
<fonts count="4"><font><sz val="11"/>${CALIBRI}</font><font><b/><sz val="11"/>${CALIBRI}</font><font><b/><sz val="14"/>${CALIBRI}</font><font><sz val="11"/><color rgb="FF595959"/>${CALIBRI}</font></fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFF2F2F2"/><bgColor indexed="64"/></patternFill></fill></fills>
<borders count="3"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom style="thin"/><diagonal/></border><border><left/><right/><top style="thin"/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
<dxfs count="1"><dxf><border><bottom style="thin"><color rgb="FFBFBFBF"/></bottom></border></dxf></dxfs>
</styleSheet>`
