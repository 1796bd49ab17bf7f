/** Cell styles: `xl/styles.xml`, and the number of each style. */
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { affixesOf, decimalText, type Currency } from '../../../model/currency.ts'
import { memoized } from '../../../model/memoized.ts'
import { textsIn } from '../../../texts/texts.ts'
import { MAIN, XML } from './texts.ts'

/** Text format, so that editing a text such as `=1+1` does not turn it into a formula. */
const TEXT = '@'
const DECIMALS = ['', '.0', '.00', '.000', '.0000']
/** Lower numbers are built-in formats. */
const FIRST_FORMAT = 164

const PLAIN = 'fontId="0" fillId="0" borderId="0"'
/** The look of column titles and totals. */
const HEAD = 'fontId="1" fillId="2" borderId="1"'
const LARGE = 'fontId="2" fillId="0" borderId="0"'
/** Separates a title from the filter's button. why: LibreOffice indents some numbers only, so their formats end in `_0`. */
const RIGHT = 'horizontal="right" indent="1"'
const LEFT = 'horizontal="left"'

export type CellStyles = Styles['row']
export type Styles = ReturnType<typeof createStyles>

/** `#,##0.00\\ "EUR"_0`, with the quotes of XML. */
function moneyFormat(currency: Currency, language: string): string {
  const [before = '', after = ''] = affixesOf(currency, language).map(affix =>
    affix.replace(/\S+/, '&#34;$&&#34;').replace(/\s/, '\\ '),
  )
  return `${before}#,##0${decimalText('0', currency.digits).slice(1)}${after}_0`
}

/** Of a workbook. */
export function createStyles({ currency, product: { language } }: ReportDefinition) {
  const formats: string[] = []
  const xfs = ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>']

  /** Adds a style. @returns its number */
  function style(format: string, look: string, alignment: string): number {
    if (!formats.includes(format)) formats.push(format)
    const id = FIRST_FORMAT + formats.indexOf(format)
    const xf = `<xf numFmtId="${id}" ${look} xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment vertical="top" ${alignment}/></xf>`
    return xfs.push(xf) - 1
  }

  /** `_0` is a space as wide as a zero, which separates a number from a text in the next column. */
  function cellStyles(look: string) {
    const number = (format: string): number => style(`${format}_0`, look, '')
    const date = (format: string): number => style(format, look, LEFT)
    /** Without a currency it is a plain number. */
    const money = memoized((of: Currency | undefined) => {
      if (of === undefined) return [number('#,##0')]
      const format = moneyFormat(of, language)
      // why: zero is a dash, since a total over no rows is zero
      return [number(`${format};\\-${format};&#34;—&#34;`)]
    })
    const { cells } = textsIn(language).formats.excel
    return {
      /** Numbers that Excel cannot represent have it, too. */
      text: style(TEXT, look, 'wrapText="1"'),
      /** Styles of numbers by their decimals; the last is also for more. */
      integer: [number('#,##0')],
      number: DECIMALS.map(decimals => number(`#,##0${decimals}`)),
      percent: DECIMALS.map(decimals => number(`0${decimals}${cells.percent}`)),
      ofProduct: money(currency),
      money,
      date: date(cells.date),
      month: date(cells.month),
      datetime: date(`${cells.date}\\ hh:mm:ss`),
      /** The format of `datetime` would round 23:59:59.9 to the next day. */
      fraction: date(`${cells.date}\\ hh:mm:ss.000`),
    }
  }

  return {
    row: cellStyles(PLAIN),
    total: cellStyles(HEAD),
    /** Column titles, aligned as the cells below. */
    title: style(TEXT, HEAD, `${LEFT} wrapText="1"`),
    numberTitle: style(TEXT, HEAD, `${RIGHT} wrapText="1"`),
    heading: style(TEXT, LARGE, ''),
    /** Lines below the report's title, which continue over empty cells. */
    line: style(TEXT, PLAIN, ''),
    /** The part with all of them. */
    part: () => stylesXml(formats, xfs),
  }
}

const CALIBRI = '<name val="Calibri"/><family val="2"/>'

// why: Excel reserves the first two fills
function stylesXml(formats: readonly string[], xfs: readonly string[]): string {
  const numberFormats = formats.map(
    (code, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${code}"/>`,
  )
  return `${XML}<styleSheet xmlns="${MAIN}">
<numFmts count="${formats.length}">${numberFormats.join('')}</numFmts>
<fonts count="3"><font><sz val="11"/>${CALIBRI}</font><font><b/><sz val="11"/>${CALIBRI}</font><font><b/><sz val="14"/>${CALIBRI}</font></fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFF2F2F2"/><bgColor indexed="64"/></patternFill></fill></fills>
<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top style="thin"/><bottom style="thin"/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`
}
