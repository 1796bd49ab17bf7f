/** XML of all parts of a workbook. */
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** Of a text that looks like an escape, only the first underscore is escaped, since the next may begin another. */
const ESCAPED = /[&<>"\ufffe\uffff]|[^\t\n -\uffff]|_(?=x[\dA-Fa-f]{4})/g

/**
 * Characters that XML 1.0 does not allow are written as `_xHHHH_`.
 * @see ECMA-376 part 1, 22.9.2.19 ST_Xstring
 */
export function xmlText(text: string): string {
  // why: a search alone takes less time than a replacement of nothing
  if (text.search(ESCAPED) < 0) return text
  return text.replace(ESCAPED, character => {
    const code = character.charCodeAt(0)
    if ('&<>"'.includes(character)) return `&#${code};`
    return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`
  })
}
