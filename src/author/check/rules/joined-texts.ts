/** String literals on two lines that PostgreSQL concatenates because a comma is missing. */
import type { A_Const } from 'libpg-query'
import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { offsetIn } from '../../sql/expressions.ts'
import type { DraftPart } from './draft.ts'

interface JoinedTexts {
  readonly node: A_Const
  /** The first literal as written. */
  readonly before: string
  readonly after: string
  /** The offset of the second literal. */
  readonly offset: number
}

/** Searches lists of `in (...)` and `array[...]`. */
export function joinedTexts({ root, sql }: DraftPart): JoinedTexts[] {
  const lists = [
    ...nodesOf(root, 'A_Expr').flatMap(({ kind, rexpr }) => (kind === 'AEXPR_IN' ? rexpr : [])),
    ...nodesOf(root, 'A_ArrayExpr').flatMap(({ elements = [] }) => elements),
  ]
  const tokens = new Map(sql.tokens.map(token => [token.start, token]))
  return nodesOf(lists, 'A_Const').flatMap(node => {
    const token = tokens.get(offsetIn(node))
    const text = token?.kind === 'string' ? sql.text.slice(token.start, token.end) : ''
    const [, before, gap, after] = /^('(?:[^']|'')*')(\s*\n\s*)('(?:[^']|'')*')$/.exec(text) ?? []
    if (before === undefined || gap === undefined || after === undefined || !token) return []
    return [{ node, before, after, offset: token.start + before.length + gap.length }]
  })
}
