/** The text of an expression: nodes have the start, tokens have the end. */
import type { ParsedSql, SqlToken } from '../../definitions/sql/parsed-sql.ts'
import { offsetsIn } from '../../definitions/sql/syntax-tree.ts'

/** Longer texts are truncated in messages. */
const MAX_LENGTH = 120

/** On one line, as in messages: `operations.amount_kopecks`, `coalesce(x, 0)`. */
export function sqlTextOf(sql: ParsedSql, node: unknown): string {
  const { start, end } = rangeOf(sql, node)
  const text = sql.text.slice(start, end).replaceAll(/\s+/g, ' ')
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 3)}...` : text
}

/** The range from the first token of an expression to its last, including closing brackets. */
export function rangeOf(
  { tokens, text }: ParsedSql,
  node: unknown,
): { start: number; end: number } {
  const offsets = offsetsIn(node).toSorted((a, b) => a - b)
  const [first, last] = [offsets[0], offsets.at(-1)]
  if (first === undefined || last === undefined) return { start: 0, end: 0 }
  const code = tokens.filter(({ kind }) => kind !== 'comment')
  let from = code.findIndex(({ end }) => end > first)
  let at = code.findIndex(({ end }) => end > last)
  const signOf = (token: SqlToken | undefined) =>
    token?.kind === 'sign' ? text.slice(token.start, token.end) : ''
  let depth = 0
  let unopened = 0
  for (let index = from; index <= at; index++) {
    depth += DEPTH[signOf(code[index])] ?? 0
    unopened = Math.max(unopened, -depth)
  }
  // why: brackets have no nodes
  for (; unopened > 0 && signOf(code[from - 1]) === '('; unopened--, depth++) from--
  // why: for `count(*)`, `a.b` and `:period_end` the node only has the location of its first token
  for (let next = code[at + 1]; next !== undefined; next = code[at + 1]) {
    const sign = signOf(next)
    const goesOn = depth > 0 || sign === '.' || ['.', ':'].includes(signOf(code[at]))
    const opens = sign === '(' && ['name', 'keyword'].includes(code[at]?.kind ?? '') && depth === 0
    if (!goesOn && !opens) break
    depth += DEPTH[sign] ?? 0
    at++
  }
  return { start: code[from]?.start ?? 0, end: code[at]?.end ?? 0 }
}

const DEPTH: Readonly<Record<string, number>> = { '(': 1, '[': 1, ')': -1, ']': -1 }
