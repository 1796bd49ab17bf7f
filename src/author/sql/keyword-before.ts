/** Finds keywords whose nodes have no location, such as `union` and `select`. */
import type { ParsedSql } from '../../definitions/sql/parsed-sql.ts'
import { offsetOf } from '../../definitions/sql/syntax-tree.ts'

/** The offset of the last such word before a node; without one, the offset of the node. */
export function keywordBefore({ tokens, text }: ParsedSql, node: unknown, word: string): number {
  const end = offsetOf(node) ?? 0
  const token = tokens.findLast(
    one => one.end <= end && text.slice(one.start, one.end).toLowerCase() === word,
  )
  return token?.start ?? end
}
