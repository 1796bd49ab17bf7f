/** Texts of cells: sheets refer by number to those in `xl/sharedStrings.xml`; others are written in their cells. */
import { MAIN, XML, xmlText } from './xml.ts'

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
