/**
 * Fields as strings whose characters are the bytes of UTF-8.
 * why: decoding a whole row as Latin-1 and cutting it takes 10 ns a field, decoding UTF-8 100-200 ns a field
 */
import type { RowBytes } from '../../model/row-bytes.ts'
import type { RawField } from '../../model/terms.ts'
import { reserve, type Output } from './output.ts'

/** `№` is three characters. Texts in ASCII are the same as strings. */
export type ByteText = string

export function byteTextOf(text: string): ByteText {
  return Buffer.from(text).toString('latin1')
}

export function stringOf(text: ByteText): string {
  return Buffer.from(text, 'latin1').toString()
}

/** Writes it as UTF-8, where the output is text. */
export function writeByteText(output: Output, text: ByteText): void {
  reserve(output, text.length)
  output.length += output.bytes.write(text, output.length, 'latin1')
}

export function fieldsOf(
  { bytes, start, end, starts, ends }: RowBytes,
  indexes: readonly number[],
): RawField[] {
  const text = bytes.toString('latin1', start, end)
  return indexes.map(index => {
    const fieldStart = starts[index]!
    return fieldStart < 0 ? null : text.slice(fieldStart - start, ends[index]! - start)
  })
}

export const INTEGER = /^-?\d+$/
export const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** A hundredth of a number, whose digits are copied: `1234.56` for `123456`, `-0.05` for `-5`, `0.125` for `12.5`. */
export function hundredth(raw: string): string {
  const point = raw.indexOf('.')
  const whole = point < 0 ? raw : raw.slice(0, point)
  const decimals = point < 0 ? '' : raw.slice(point + 1)
  if (whole.length > 3) return `${whole.slice(0, -2)}.${whole.slice(-2)}${decimals}`
  const sign = raw.startsWith('-') ? '-' : ''
  const digits = whole.slice(sign.length).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}${decimals}`
}
