/**
 * The CTEs in front of a statement that select the organization's rows of its tables. They know places in the text, not
 * the syntax tree, which ends when the definition is compiled.
 */
import type { Insertion, SqlPiece, SqlPieces } from './sql/sql-pieces.ts'
import type { DeclaredTable } from './tenancy.ts'
import { quoted, type ChildRows, type RowsOf } from './tenant-rows.ts'

export function tableCtes(places: {
  readonly tables: ReadonlyArray<{
    readonly table: DeclaredTable
    readonly line: number
    readonly children: ChildRows
  }>
  readonly ofCalls: readonly Insertion[]
  /** Of the statement. */
  readonly start: number
  /** Behind the words with which it begins; undefined without. */
  readonly withEnd: number | undefined
}): (rowsOf: RowsOf) => readonly Insertion[] {
  const { tables, ofCalls, start, withEnd } = places
  return rowsOf => {
    const ctes = tables.flatMap(({ table, line, children }, at): SqlPieces => {
      const head = `${at === 0 ? '' : ', '}${quoted(table.name)} as not materialized (`
      return [head, ...rowsOf(table, children), ')'].map(piece => ofTable(piece, line, table))
    })
    if (ctes.length === 0) return ofCalls
    const ofTables =
      withEnd === undefined
        ? { start, pieces: ['with ', ...ctes, ' '] }
        : { start: withEnd, pieces: [' ', ...ctes, ','] }
    return [ofTables, ...ofCalls]
  }
}

/** PostgreSQL's errors about the rows of a table are in the line that names it. */
function ofTable(piece: SqlPiece, line: number, table: DeclaredTable): SqlPiece {
  const place = { line, table }
  return typeof piece === 'string' ? { text: piece, ...place } : { ...piece, ...place }
}
