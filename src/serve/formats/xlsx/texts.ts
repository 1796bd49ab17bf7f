/** Texts in XML. Sheets refer by number to those in `xl/sharedStrings.xml`; others are written in their cells. */
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

export type Texts = ReturnType<typeof createTexts>

/** UTF-16 code units of all shared texts, so that memory does not grow with the rows. */
const MAX_LENGTH = 256 * 1024
/** What a short text costs, in code units. */
const TEXT_COST = 32

export function createTexts() {
  const shared: string[] = []
  let length = 0
  const hasRoom = (): boolean => length < MAX_LENGTH

  return {
    /** Whether the next text is shared. */
    hasRoom,
    /** What follows the reference of a cell: `" t="s"><v>1</v></c>`. */
    content(text: string): string {
      // why: telephones and Numbers show shared texts only
      if (!hasRoom()) return `" t="inlineStr"><is>${textElement(text)}</is></c>`
      length += TEXT_COST + text.length
      return `" t="s"><v>${shared.push(text) - 1}</v></c>`
    },
    /** The part with the shared texts. */
    part(): string {
      const items = shared.map(text => `<si>${textElement(text)}</si>`)
      return `${XML}<sst xmlns="${MAIN}">${items.join('')}</sst>`
    },
  }
}

/** why: readers trim outer blanks of others */
function textElement(text: string): string {
  return `<t xml:space="preserve">${xmlText(text)}</t>`
}

/** In a text that looks like an escape, only the first underscore is escaped, since the next may begin another. */
const ESCAPED = /[&<>"\ufffe\uffff]|[^\t\n -\uffff]|_(?=x[\dA-Fa-f]{4})/g

/**
 * Characters that XML 1.0 does not allow are written as `_xHHHH_`.
 * @see ECMA-376 part 1, 22.9.2.19 ST_Xstring
 */
function xmlText(text: string): string {
  // why: a search alone takes less time than a replacement of nothing
  if (text.search(ESCAPED) < 0) return text
  return text.replace(ESCAPED, character => {
    const code = character.charCodeAt(0)
    if ('&<>"'.includes(character)) return `&#${code};`
    return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`
  })
}
