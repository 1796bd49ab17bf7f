/** Quotes texts for the languages of scripts, so that no title or URL can end its literal or its comment. */

/** A literal of JSON, JavaScript, Python, R or YAML. */
export function quoteJson(value: unknown): string {
  // why: YAML forbids them, and editors show them as line ends or in another order
  return JSON.stringify(value).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF\p{Bidi_Control}]/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A word of a POSIX shell. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A text of Power Query M. */
export function quoteM(text: string): string {
  return quoteOneC(text.replaceAll('#(', '#(#)('))
}

/** A text of 1C. */
export function quoteOneC(text: string): string {
  return `"${plainLine(text).replaceAll('"', '""')}"`
}

/** One line without control characters, for comments. */
export function plainLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]+/gu, ' ')
}
