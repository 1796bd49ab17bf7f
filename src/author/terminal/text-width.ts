/** How many columns of a terminal a text takes, and texts cut, filled and wrapped by that. Knows nothing of ours. */

export type Side = 'left' | 'right'

/** One unit is one column: all that Latin and Cyrillic texts are commonly made of. */
const PLAIN =
  /^[\u0020-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2116\u2190-\u2193\u2212\u2500]*$/
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana})|\ufe0f/u
const ELLIPSIS = '…'

const graphemes = new Intl.Segmenter('ru', { granularity: 'grapheme' })

/** @param text of one line, without control characters */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment)
  return width
}

function graphemeWidth(segment: string): number {
  return WIDE.test(segment) ? 2 : 1
}

/** At most so wide; what was cut ends with `…`. */
export function shortened(text: string, maxWidth: number): string {
  if (textWidth(text) <= maxWidth) return text
  let kept = ''
  let width = ELLIPSIS.length
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment)
    if (width > maxWidth) break
    kept += segment
  }
  return `${kept.trimEnd()}${ELLIPSIS}`
}

/** At least so wide, filled with blanks on the other side. */
export function filled(text: string, width: number, side: Side): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)))
  return side === 'left' ? text + blanks : blanks + text
}

/** Lines of whole words, each at most so wide; a word that is wider is shortened. */
export function wrapped(text: string, maxWidth: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && textWidth(longer) <= maxWidth) lines[lines.length - 1] = longer
    else lines.push(shortened(word, maxWidth))
  }
  return lines
}
