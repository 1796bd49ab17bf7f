/** Finds `:name` among the tokens of SQL and replaces it by `$n` for the parser, padded to preserve offsets in bytes. */
import type { PlaceholderUse, SqlToken } from './parsed-sql.ts'

/** @param tokens of PostgreSQL's scanner, for which `:` and `name` are two tokens */
export function findPlaceholders(text: string, tokens: readonly SqlToken[]): PlaceholderUse[] {
  const brackets: string[] = []
  const code = tokens
    .filter(({ kind }) => kind !== 'comment')
    .map(({ kind, start, end }) => ({ kind, start, end, written: text.slice(start, end) }))
  return code.flatMap(({ written, start, end }, at) => {
    const [before, next] = [code[at - 1], code[at + 1]]
    const behind = before?.written.toLowerCase() ?? ''
    if (written === '(') brackets.push('(')
    if (written === '[') {
      const isNested = brackets.at(-1) === 'array' && ['[', ','].includes(behind)
      brackets.push(isNested || behind === 'array' ? 'array' : 'slice')
    }
    if (written === ')' || written === ']') brackets.pop()
    // why: `a[1:b]` is a slice; `x:y` is neither, and PostgreSQL reports the colon
    if (written !== ':' || brackets.at(-1) === 'slice') return []
    const isSign = before?.kind === 'sign' && ![')', ']', ':', '::'].includes(behind)
    if (before?.end === start && !isSign) return []
    if (next?.start !== end || !/^[A-Za-z_\u0080-\uffff]/.test(next.written)) return []
    return [{ name: next.written, start, end: next.end }]
  })
}

/** The text with a parameter of the same number of bytes for each placeholder. */
export function withParameters(text: string, placeholders: readonly PlaceholderUse[]): string {
  const pieces: string[] = []
  let copied = 0
  for (const { start, end } of placeholders) {
    const byteCount = Buffer.byteLength(text.slice(start, end))
    pieces.push(text.slice(copied, start), '$1'.padEnd(byteCount))
    copied = end
  }
  return pieces.join('') + text.slice(copied)
}
