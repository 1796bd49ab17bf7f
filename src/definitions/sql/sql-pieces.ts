/** SQL as alternating text and placeholders, from which statements are composed. */
import type { ParsedSql } from './parsed-sql.ts'

/** Placeholders are without colons. */
export type SqlPieces = ReadonlyArray<string | { readonly placeholder: string }>

/** The tokens, separated by one space. */
export function withoutComments({ text, tokens }: Pick<ParsedSql, 'text' | 'tokens'>): string {
  const kept = tokens.filter(({ kind }) => kind !== 'comment')
  return kept.map(({ start, end }) => text.slice(start, end)).join(' ')
}

/** The SQL between two offsets; all its placeholders must be known. */
export function cutAtPlaceholders(
  { text, placeholders }: Pick<ParsedSql, 'text' | 'placeholders'>,
  { start, end }: { readonly start: number; readonly end: number },
): SqlPieces {
  let copied = start
  const pieces = placeholders
    .filter(use => use.start >= start && use.end <= end)
    .flatMap(use => {
      const before = text.slice(copied, use.start)
      copied = use.end
      return [before, { placeholder: use.name }]
    })
  return [...pieces, text.slice(copied, end)]
}
