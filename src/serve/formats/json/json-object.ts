/** Writes a row or the totals as a JSON object. */
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { copyPiece } from '../digits.ts'
import { fieldError } from '../format.ts'
import type { Output } from '../output.ts'
import { perDefinition } from '../per-definition.ts'
import { MAX_ADDED_BYTES } from '../plain-field.ts'
import { reserveEscaped } from './json-escaping.ts'
import { createWriteJson, isQuotedInJson } from './json-field.ts'

export const OPENING_BRACE = Buffer.from('{')
export const CLOSING_BRACE = Buffer.from('}')
const QUOTE = 0x22
/** Braces and separators of a row. */
const MAX_AROUND_BYTES: Bytes = 8

/**
 * @param before ends with the opening brace
 * @param after begins with the closing one
 * @throws FieldError if a field is not of its column's type
 */
type WriteObject = (
  output: Output,
  row: RowBytes,
  indexes: readonly number[],
  before: Buffer,
  after: Buffer,
) => void

export const writeObjectOf = perDefinition(({ columns }, timeZone): WriteObject => {
  const members = columns.map(({ key, type }, at) => {
    const name = `${at === 0 ? '' : ','}${JSON.stringify(key)}:`
    const isQuoted = isQuotedInJson(type)
    return {
      key,
      type,
      name: Buffer.from(isQuoted ? `${name}"` : name),
      ifNull: Buffer.from(`${name}null`),
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
    let at = copyPiece(before, output, output.length)
    for (let columnIndex = 0; columnIndex < members.length; columnIndex += 1) {
      const { name, ifNull, isQuoted, write, key, type } = members[columnIndex]!
      const index = indexes[columnIndex]!
      const start = starts[index]!
      if (start < 0) {
        at = copyPiece(ifNull, output, at)
        continue
      }
      at = write(row, start, ends[index]!, output, copyPiece(name, output, at))
      if (at < 0) throw fieldError(key, type, rawField(row, index))
      if (isQuoted) output.bytes[at++] = QUOTE
    }
    output.length = copyPiece(after, output, at)
  }
})
