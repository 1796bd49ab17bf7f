/** A row as a JSON object, and the totals as another: what JSON and NDJSON have in common. */
import { LRUCache } from 'lru-cache'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import type { RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, RawField } from '../../../model/terms.ts'
import { fieldError, TOTALS_LABEL } from '../format.ts'
import type { WriteBytes } from '../format.ts'
import { createJsonField, createWriteJson } from './json-field.ts'
import type { JsonField } from './json-field.ts'
import { jsonLength, MOST_ESCAPED_BYTES } from './json-text.ts'
import { makeRoom, PIECE_OVERHANG, pieceOf, writePiece } from '../output.ts'
import type { Output, Piece } from '../output.ts'
import { MOST_ADDED_BYTES } from '../plain-field.ts'

const NULL = pieceOf('null')
const CLOSING_BRACE = 0x7d

/** What may stand between rows: `,\n`. */
const MOST_BETWEEN_ROWS: Bytes = 2

interface JsonColumn {
  /** `,"key":` */
  readonly piece: Piece
  readonly prefix: string
  readonly write: WriteBytes
  readonly writeTotal: JsonField
  readonly isLabel: boolean
}

/** What is the same in every answer of a report in a time zone. */
export interface JsonLayout {
  readonly definition: ReportDefinition
  readonly columns: readonly JsonColumn[]
  /** `[{"key":...,"title":...,"type":...},...]` */
  readonly columnsJson: string
  /** Of a row, beside what its fields have. */
  readonly ownBytes: Bytes
}

// why: to lay out anew takes as long as to write twenty rows
const layouts = new WeakMap<ReportDefinition, LRUCache<string, JsonLayout>>()
/** Of one definition. */
const MAX_ZONES = 100

export function jsonLayout(definition: ReportDefinition, timeZone: string): JsonLayout {
  const byZone = layouts.get(definition) ?? new LRUCache<string, JsonLayout>({ max: MAX_ZONES })
  layouts.set(definition, byZone)
  const layout = byZone.get(timeZone) ?? layOut(definition, timeZone)
  byZone.set(timeZone, layout)
  return layout
}

function layOut(definition: ReportDefinition, timeZone: string): JsonLayout {
  const { columns, labelColumn } = definition
  const laidOut = columns.map(({ key, type }, place): JsonColumn => {
    const prefix = `${place === 0 ? '{' : ','}${JSON.stringify(key)}:`
    return {
      prefix,
      piece: pieceOf(prefix),
      write: createWriteJson(type, timeZone),
      writeTotal: createJsonField(key, type, timeZone),
      isLabel: key === labelColumn,
    }
  })
  return {
    definition,
    columns: laidOut,
    columnsJson: JSON.stringify(columns.map(({ key, title, type }) => ({ key, title, type }))),
    ownBytes: laidOut.reduce(
      (sum, { piece }) => sum + piece.length + MOST_ADDED_BYTES,
      MOST_BETWEEN_ROWS + 1 + PIECE_OVERHANG,
    ),
  }
}

/** For the row, and what stands between it and another. */
export function makeRoomFor(
  { ownBytes }: JsonLayout,
  output: Output,
  { bytes, start, end }: RowBytes,
): void {
  const most = ownBytes + (end - start) * MOST_ESCAPED_BYTES
  if (output.length + most <= output.bytes.length) return
  // why: what large rows need is counted, and not feared
  makeRoom(output, ownBytes + jsonLength(bytes, start, end))
}

/**
 * Answers where the object ends; the output's own length is as it was, and it has room.
 * @throws FieldError if a field is not of its column's type.
 */
export function writeObject(
  { definition, columns }: JsonLayout,
  output: Output,
  at: number,
  row: RowBytes,
  places: readonly number[],
): number {
  const { starts, ends } = row
  for (let order = 0; order < columns.length; order += 1) {
    const column = columns[order]!
    const place = places[order]!
    const start = starts[place]!
    const end = ends[place]!
    at = writePiece(column.piece, output, at)
    if (start < 0) at = writePiece(NULL, output, at)
    else {
      at = column.write(row, start, end, output, at)
      if (at < 0) {
        const { key, type } = definition.columns[order]!
        throw fieldError(key, type, row.bytes.toString('utf8', start, end))
      }
    }
  }
  output.bytes[at] = CLOSING_BRACE
  return at + 1
}

/** @throws FieldError if a total is not of its column's type. */
export function totalsJson(
  { definition, columns }: JsonLayout,
  totals: ReadonlyMap<string, RawField>,
): string {
  const fields = columns.map(({ prefix, isLabel, writeTotal }, order) => {
    const raw = isLabel ? TOTALS_LABEL : totals.get(definition.columns[order]!.key)
    return prefix + writeTotal(raw ?? null)
  })
  return `${fields.join('')}}`
}
