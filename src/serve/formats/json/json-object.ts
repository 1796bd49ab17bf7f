/** Writes a row or the totals as a JSON object. */
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { QUOTE } from '../digits.ts'
import { fieldError } from '../format.ts'
import type { Output } from '../output.ts'
import { perDefinition } from '../per-definition.ts'
import { PIECE_OVERHANG, pieceOf, writePiece, type Piece } from '../piece.ts'
import { MAX_ADDED_BYTES } from '../plain-field.ts'
import { reserveEscaped } from './json-escaping.ts'
import { createWriteJson, isQuotedInJson } from './json-field.ts'

export const OPENING_BRACE = pieceOf('{')
export const CLOSING_BRACE = pieceOf('}')
/** Braces and separators of a row. */
const MAX_AROUND_BYTES: Bytes = 8 + PIECE_OVERHANG

/**
 * @param before ends with the opening brace
 * @param after begins with the closing one
 * @throws FieldError if a field is not of its column's type
 */
type WriteObject = (
  output: Output,
  row: RowBytes,
  indexes: readonly number[],
  before: Piece,
  after: Piece,
) => void

export const writeObjectOf = perDefinition(({ columns }, timeZone): WriteObject => {
  const members = columns.map(({ key, type }, at) => {
    const name = `${at === 0 ? '' : ','}${JSON.stringify(key)}:`
    const isQuoted = isQuotedInJson(type)
    return {
      key,
      type,
      name: pieceOf(isQuoted ? `${name}"` : name),
      ifNull: pieceOf(`${name}null`),
      isQuoted,
      write: createWriteJson(type, timeZone),
    }
  })
  const extraBytes = members.reduce(
    (sum, { ifNull }) => sum + ifNull.length + MAX_ADDED_BYTES,
    MAX_AROUND_BYTES,
  )

  return (output, row, indexes, before, after) => {
    reserveEscaped(output, row, extraBytes)
    const { starts, ends } = row
    let at = writePiece(before, output, output.length)
    for (let columnIndex = 0; columnIndex < members.length; columnIndex += 1) {
      const { name, ifNull, isQuoted, write, key, type } = members[columnIndex]!
      const index = indexes[columnIndex]!
      const start = starts[index]!
      if (start < 0) {
        at = writePiece(ifNull, output, at)
        continue
      }
      at = write(row, start, ends[index]!, output, writePiece(name, output, at))
      if (at < 0) throw fieldError(key, type, rawField(row, index))
      if (isQuoted) output.bytes[at++] = QUOTE
    }
    output.length = writePiece(after, output, at)
  }
})
