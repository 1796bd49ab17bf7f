/**
 * Text as XML for Excel: characters that XML 1.0 does not allow are written as `_xHHHH_`.
 * @see ECMA-376 part 1, 22.9.2.19 ST_Xstring
 */
import { createEscaping, type Escape } from '../escaped-text.ts'
import { textOf } from '../text-row.ts'

const BLANK = 0x20
const LETTER_X = 0x78
const NAMED = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])

/** Text that looks like an escape. Only its first underscore is escaped, since the next may begin another. */
const LOOKS_ESCAPED: Escape = {
  byteCount: 1,
  length: '_x005F_'.length,
  find(from, index, end) {
    // why: the common case is an underscore without an x
    if (from[index + 1] !== LETTER_X || index + 6 > end) return undefined
    const isEscape = /^[\dA-Fa-f]{4}$/.test(from.toString('latin1', index + 2, index + 6))
    return isEscape ? ESCAPED_UNDERSCORE : undefined
  },
}
const ESCAPED_UNDERSCORE = Buffer.from('_x005F_')

/** U+FFFE and U+FFFF are `ef bf be` and `ef bf bf`. */
const NONCHARACTER: Escape = {
  byteCount: 3,
  length: '_xFFFE_'.length,
  find(from, index, end) {
    if (index + 3 > end || from[index + 1] !== 0xbf) return undefined
    return ESCAPED_NONCHARACTERS[from[index + 2]! - 0xbe]
  },
}
const ESCAPED_NONCHARACTERS = [Buffer.from('_xFFFE_'), Buffer.from('_xFFFF_')] as const

export const XML_ESCAPING = createEscaping(
  Array.from({ length: 256 }, (_, byte) => {
    const character = String.fromCharCode(byte)
    if (character === '_') return LOOKS_ESCAPED
    if (byte === 0xef) return NONCHARACTER
    if (byte >= BLANK) return NAMED.has(character) ? Buffer.from(NAMED.get(character)!) : undefined
    if (character === '\t' || character === '\n') return undefined
    return Buffer.from(`_x${byte.toString(16).toUpperCase().padStart(4, '0')}_`)
  }),
)

/** Escapes a text between tags. In an attribute, quotes must be escaped as well. Too slow for cells. */
export function xmlText(text: string): string {
  return textOf(text, XML_ESCAPING.write, XML_ESCAPING)!
}

/** Whether a reader may trim the text, so that `xml:space` is required. */
export function hasOuterSpace(from: Buffer, start: number, end: number): boolean {
  return start < end && (from[start]! <= BLANK || from[end - 1]! <= BLANK)
}
