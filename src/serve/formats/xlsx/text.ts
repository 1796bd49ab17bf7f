/**
 * Text as XML for Excel: characters that XML 1.0 does not allow are written as `_xHHHH_`.
 * @see ECMA-376 part 1, 22.9.2.19 ST_Xstring
 */
import type { ByteText } from '../byte-text.ts'

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // U+FFFE and U+FFFF
  '\u00ef\u00bf\u00be': '_xFFFE_',
  '\u00ef\u00bf\u00bf': '_xFFFF_',
}
/** Of a text that looks like an escape, only the first underscore is escaped, since the next may begin another. */
const ESCAPED = /[&<>"]|[^\t\n -\u00ff]|_(?=x[\dA-Fa-f]{4})|\u00ef\u00bf[\u00be\u00bf]/g

export function xmlText(text: ByteText): ByteText {
  return text.replace(ESCAPED, character => NAMED[character] ?? `_x${hex(character)}_`)
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
}

const BLANK = 0x20

/** The element of a text in a cell or in `sharedStrings.xml`. Readers may trim texts without `xml:space`. */
export function textElement(text: ByteText): ByteText {
  const isSpaced = text.charCodeAt(0) <= BLANK || text.charCodeAt(text.length - 1) <= BLANK
  return `<t${isSpaced ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t>`
}
