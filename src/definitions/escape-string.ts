/**
 * Where an SQL string with backslash escapes ends: `E'it\'s'`, and its continuation on a later line.
 * @see https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-STRINGS-ESCAPE
 */

const QUOTE = "'"
const BLANKS = ' \t\f\v'
const NEWLINES = '\n\r'

/**
 * Offset after the closing quote; -1 if there is none. Each character is read once.
 * @param at offset of the `E`
 */
export function endOfEscapeString(text: string, at: number): number {
  let end = endOfPart(text, at + "E'".length)
  while (end !== -1) {
    const quote = continuationOf(text, end)
    if (quote === -1) return end
    end = endOfPart(text, quote + 1)
  }
  return -1
}

function endOfPart(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === QUOTE) {
      if (text[at + 1] !== QUOTE) return at + 1
      at++
    }
  }
  return -1
}

/** The opening quote of the next part; only blanks and comments, with a line break among them, precede it. */
function continuationOf(text: string, start: number): number {
  let hasNewline = false
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at)
    if (NEWLINES.includes(char)) hasNewline = true
    else if (text.startsWith('--', at)) at = endOfLine(text, at) - 1
    else if (!BLANKS.includes(char)) return char === QUOTE && hasNewline ? at : -1
  }
  return -1
}

function endOfLine(text: string, start: number): number {
  let at = start
  while (at < text.length && !NEWLINES.includes(text.charAt(at))) at++
  return at
}
