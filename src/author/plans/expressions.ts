/** Reads what EXPLAIN prints of an expression, as far as finding columns and calls needs. It is no parser. */

/** A column as EXPLAIN qualifies it in verbose plans: `operations_1.amount_kopecks`. */
export interface ColumnReference {
  readonly alias: string
  readonly column: string
}

export interface Call {
  /** In lower case: `sum`. */
  readonly name: string
  /** From the name to the end of its filter. */
  readonly text: string
  readonly distinct: boolean
}

const NAME = String.raw`(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)`
const COLUMN = new RegExp(String.raw`(?<![\p{L}\p{N}_$".:])(${NAME})\.(${NAME})(?!\s*\()`, 'gu')

export function columnsIn(text: string): ColumnReference[] {
  return [...withoutStrings(text).matchAll(COLUMN)].map(([, alias = '', column = '']) => ({
    alias: unquoted(alias),
    column: unquoted(column),
  }))
}

export function aliasesIn(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap(columnsIn).map(({ alias }) => alias))
}

/** The calls of these functions, with `filter (where ...)` where it follows. */
export function callsIn(expression: string, names: readonly string[]): Call[] {
  const text = withoutStrings(expression)
  const opening = new RegExp(String.raw`(?<![\p{L}\p{N}_$".])(${names.join('|')})\(`, 'giu')
  return [...text.matchAll(opening)].map(({ 0: found, 1: name = '', index }) => {
    const argumentAt = index + found.length
    let end = closing(text, argumentAt)
    const filter = /^ FILTER \(/.exec(text.slice(end))
    if (filter) end = closing(text, end + filter[0].length)
    return {
      name: name.toLowerCase(),
      text: expression.slice(index, end),
      distinct: text.startsWith('DISTINCT ', argumentAt),
    }
  })
}

/** As long as before, so that offsets stay. */
function withoutStrings(text: string): string {
  return text.replaceAll(/'(?:[^']|'')*'/g, found => `'${' '.repeat(found.length - 2)}'`)
}

/** The offset after the parenthesis that closes the one before `at`. */
function closing(text: string, at: number): number {
  let depth = 1
  for (let end = at; end < text.length; end++) {
    if (text[end] === '(') depth++
    else if (text[end] === ')') depth--
    if (depth === 0) return end + 1
  }
  return text.length
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
}
