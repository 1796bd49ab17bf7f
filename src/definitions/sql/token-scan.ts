/** Splits SQL into tokens with PostgreSQL's scanner. libpg-query's module must be loaded. */
import type { ScanToken } from 'libpg-query'
import { scanSync } from './libpg-query.ts'
import type { SqlToken } from './parsed-sql.ts'
import type { TextPositions } from './text-positions.ts'

/** Undefined if a quote or a comment is not closed. */
export function scanTokens(sql: string, positions: TextPositions): SqlToken[] | undefined {
  try {
    return scanSync(sql).tokens.map(token => ({
      kind: kindOf(token),
      start: positions.ofByte(token.start),
      end: positions.ofByte(token.end),
    }))
  } catch {
    return undefined
  }
}

/** @see `Token` in libpg_query's `pg_query.proto` */
const KINDS: ReadonlyArray<readonly [SqlToken['kind'], readonly number[]]> = [
  // 259 is U&"...", 262 is U&'...', 263 is B'...', 264 is X'...'
  ['name', [258, 259]],
  ['string', [261, 262, 263, 264]],
  ['number', [260, 266]],
  ['parameter', [267]],
  ['comment', [275, 276]],
]

function kindOf({ tokenType, keywordKind }: ScanToken): SqlToken['kind'] {
  if (keywordKind > 0) return 'keyword'
  return KINDS.find(([, types]) => types.includes(tokenType))?.[0] ?? 'sign'
}
