/** Reads a workbook: cells by reference, with type and number format. Supports only workbooks of this project. */
import { unzipSync } from 'fflate'

export interface Cell {
  readonly text: string
  /** Excel's `t`; `n` is a number. */
  readonly type: string
  /** Number format. */
  readonly format: string
  readonly isBold: boolean
}

export interface Workbook {
  readonly sheetNames: readonly string[]
  /** The lines above the table; null for an empty row. */
  readonly lines: ReadonlyArray<string | null>
  /** Rows of cells by letter, from the titles on. */
  readonly rows: ReadonlyArray<ReadonlyMap<string, Cell>>
  readonly about: ReadonlyArray<readonly string[]>
  readonly part: (name: string) => string
}

export function readWorkbook(bytes: Uint8Array): Workbook {
  const files = unzipSync(bytes)
  const part = (name: string): string =>
    new TextDecoder('utf-8', { fatal: true }).decode(files[name])
  const sheets = [...part('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)]
  const texts = [...part('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, text]) =>
    textOf(text!),
  )
  const styles = stylesOf(part('xl/styles.xml'))
  const rowsOf = (name: string): Map<string, Cell>[] => {
    const rows: Map<string, Cell>[] = []
    for (const [, number, row] of part(name).matchAll(/<row r="(\d+)"[^>]*>(.*?)<\/row>/gs)) {
      while (rows.length < Number(number) - 1) rows.push(new Map())
      rows.push(cellsOf(row!, number!, texts, styles))
    }
    return rows
  }
  const [, titlesRow] = /!\$(\d+):\$\1</.exec(part('xl/workbook.xml'))!
  const allRows = rowsOf('xl/worksheets/sheet1.xml')
  return {
    sheetNames: sheets.map(([, name]) => decoded(name!)),
    lines: allRows.slice(0, Number(titlesRow) - 1).map(row => row.get('A')?.text ?? null),
    rows: allRows.slice(Number(titlesRow) - 1),
    about: rowsOf('xl/worksheets/sheet2.xml').map(row => [...row.values()].map(({ text }) => text)),
    part,
  }
}

type Style = Pick<Cell, 'format' | 'isBold'>

function stylesOf(xml: string): Style[] {
  const formats = new Map(
    [...xml.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [
      id,
      decoded(code!),
    ]),
  )
  const fonts = [...xml.matchAll(/<font>(.*?)<\/font>/g)].map(([, font]) => font!.includes('<b/>'))
  const [, cellXfs] = /<cellXfs[^>]*>(.*)<\/cellXfs>/s.exec(xml)!
  return [...cellXfs!.matchAll(/<xf numFmtId="(\d+)" fontId="(\d+)"/g)].map(([, id, font]) => ({
    format: formats.get(id) ?? 'General',
    isBold: fonts[Number(font)]!,
  }))
}

function cellsOf(
  row: string,
  number: string,
  texts: readonly string[],
  styles: readonly Style[],
): Map<string, Cell> {
  const cells = new Map<string, Cell>()
  const pattern = /<c s="(\d+)" r="([A-Z]+)(\d+)"(?: t="(\w+)")?(?:\/>|>(.*?)<\/c>)/gs
  const unmatched = row.replaceAll(pattern, (_cell, style, letter, at, type = 'n', inside = '') => {
    if (at !== number) throw new Error(`found ${letter}${at} in row ${number}`)
    const [, value = ''] = /^<v>(.*)<\/v>$/s.exec(inside) ?? []
    const text =
      type === 's' ? texts[Number(value)]! : type === 'inlineStr' ? textOf(inside) : value
    cells.set(letter, { text, type, ...styles[Number(style)]! })
    return ''
  })
  if (unmatched !== '') throw new Error(`found ${unmatched.slice(0, 200)} among cells`)
  return cells
}

/** Outer blanks are preserved only with `xml:space`. */
function textOf(xml: string): string {
  const [, space, text] = /<t( xml:space="preserve")?>(.*)<\/t>/s.exec(xml)!
  return decoded(space === undefined ? text!.replaceAll(/^[ \t\n]+|[ \t\n]+$/g, '') : text!)
}

function decoded(xml: string): string {
  if (/[<\p{Cc}\ufffe\uffff]/u.test(xml.replaceAll(/[\t\n\x7f-\x9f]/g, '')))
    throw new Error(`found ${xml} in a text`)
  return xml
    .replaceAll(/&#(\d+);/g, (_reference, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_escape, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
}
