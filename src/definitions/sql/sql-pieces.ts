/** SQL as pieces of text and placeholders, from which statements are composed. */
import type { DeclaredTable } from '../tenancy.ts'
import type { ParsedSql } from './parsed-sql.ts'

/** Where a piece is written: an offset in the file, or for text that the gateway adds a line. */
export interface Place {
  readonly at?: number | undefined
  readonly line?: number | undefined
  /** Whose rows the text that the gateway adds selects. */
  readonly table?: DeclaredTable | undefined
}

/** Placeholders are without colons. */
export type SqlPiece =
  | string
  | (Place & { readonly text: string })
  | (Place & { readonly placeholder: string })
export type SqlPieces = readonly SqlPiece[]

/** Pieces to add at an offset. */
export interface Insertion {
  readonly start: number
  readonly pieces: SqlPieces
}

/** The tokens and what is inserted, separated by one space. */
export function withoutComments(
  { text, tokens }: Pick<ParsedSql, 'text' | 'tokens'>,
  insertions: readonly Insertion[],
): string {
  const added = insertions.map(({ start, pieces }) => ({ start, code: textOf(pieces) }))
  const kept = tokens.filter(({ kind }) => kind !== 'comment')
  const code = kept.map(({ start, end }) => ({ start, code: text.slice(start, end) }))
  // why: the sort is stable, so what is inserted precedes the token at its offset
  const sorted = [...added, ...code].toSorted((a, b) => a.start - b.start)
  return sorted.map(one => one.code).join(' ')
}

/**
 * The SQL between two offsets; all its placeholders must be known.
 * @param line of the key of a total, whose offsets are not those of the file
 */
export function cutAtPlaceholders(
  { text, placeholders }: Pick<ParsedSql, 'text' | 'placeholders'>,
  range: { readonly start: number; readonly end: number },
  insertions: readonly Insertion[] = [],
  line?: number,
): SqlPieces {
  const placeOf = (at: number): Place => (line === undefined ? { at } : { line })
  const uses: Array<Insertion & { readonly end: number }> = placeholders
    .filter(({ start, end }) => start >= range.start && end <= range.end)
    .map(({ name, start, end }) => ({
      start,
      end,
      pieces: [{ placeholder: name, ...placeOf(start) }],
    }))
  const added = insertions.map(one => ({ ...one, end: one.start }))
  const last = { start: range.end, end: range.end, pieces: [] }
  const cuts = [...uses, ...added, last].toSorted((a, b) => a.start - b.start)
  const pieces: SqlPiece[] = []
  let copied = range.start
  for (const { start, end, pieces: own } of cuts) {
    if (start > copied) pieces.push({ text: text.slice(copied, start), ...placeOf(copied) })
    for (const piece of own)
      pieces.push(typeof piece === 'string' ? { text: piece, ...placeOf(start) } : piece)
    copied = end
  }
  return pieces
}

/** The text, with each placeholder as `write` writes it. */
export function writtenSql(pieces: SqlPieces, write: (placeholder: string) => string): string[] {
  return pieces.map(piece => {
    if (typeof piece === 'string') return piece
    return 'text' in piece ? piece.text : write(piece.placeholder)
  })
}

/** The text, with placeholders as in a file. */
export function textOf(pieces: SqlPieces): string {
  return writtenSql(pieces, placeholder => `:${placeholder}`).join('')
}

export function placeholderIn(piece: SqlPiece): string | undefined {
  return typeof piece !== 'string' && 'placeholder' in piece ? piece.placeholder : undefined
}
