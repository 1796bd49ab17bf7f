/**
 * Finds bytes among four that are read as one integer, which takes a third of the time of a loop.
 * @see https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord
 */

const ONES = 0x01010101
const HIGH_BITS = 0x80808080
const BLANKS = fourOf(0x20)

export function fourOf(byte: number): number {
  return Math.imul(byte, ONES)
}

/** Not 0 in `isAny` if one of the bytes is the byte of `wanted`. */
export function equalBytes(four: number, wanted: number): number {
  const zeros = four ^ wanted
  return (zeros - ONES) & ~zeros
}

/** Not 0 in `isAny` if one of the bytes is below 0x20. */
export function controlBytes(four: number): number {
  return (four - BLANKS) & ~four
}

export function isAny(found: number): boolean {
  return (found & HIGH_BITS) !== 0
}
