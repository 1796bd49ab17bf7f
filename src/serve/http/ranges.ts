/** One range of a whole body, for who was interrupted and goes on. @see https://www.rfc-editor.org/rfc/rfc9110#name-range-requests */

/** Half-open. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Two numbers of any file need less. */
const LONGEST_RANGE = 128

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i

/** Undefined: send all, as for several ranges and what is no range; 'none' where it begins past the end. */
export function readRange(
  range: string,
  ifRange: string,
  etag: string,
  length: number,
): ByteRange | 'none' | undefined {
  // why: a weak tag, or a date, says nothing of bytes
  if (ifRange !== '' && ifRange !== etag) return undefined
  if (range.length > LONGEST_RANGE) return undefined
  const [, first = '', last = ''] = ONE_RANGE.exec(range.replaceAll(' ', '')) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const start = Math.max(0, length - Number(last))
    return start < length ? { start, end: length } : 'none'
  }
  const start = Number(first)
  if (start >= length) return 'none'
  const end = last === '' ? length : Math.min(length, Number(last) + 1)
  return end > start ? { start, end } : undefined
}
