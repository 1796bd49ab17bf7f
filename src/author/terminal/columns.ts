/** Aligns cells in columns by their width in the terminal. */

export type Alignment = 'left' | 'right'

const GAP = '  '

/** Characters with one UTF-16 unit and one terminal column: common in Latin and Cyrillic text. */
const PLAIN =
  /^[\u0020-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2116\u2190-\u2193\u2212\u2500]*$/
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana})|\ufe0f/u

const graphemes = new Intl.Segmenter('ru', { granularity: 'grapheme' })

/** In terminal columns. @param text one line without control characters */
function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

export function columnWidths(rows: ReadonlyArray<readonly string[]>): number[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, textWidth(cell))))
  }
  return widths
}

/** A line for each row, without trailing spaces. */
export function aligned(
  rows: ReadonlyArray<readonly string[]>,
  sides: readonly Alignment[] = [],
): string[] {
  const widths = columnWidths(rows)
  return rows.map(row => {
    const cells = row.map((cell, at) => {
      const padding = ' '.repeat((widths[at] ?? 0) - textWidth(cell))
      return sides[at] === 'right' ? padding + cell : cell + padding
    })
    return cells.join(GAP).trimEnd()
  })
}
