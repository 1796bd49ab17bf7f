/** Digits and dates among bytes. Nothing is looked up past the end of a buffer that a caller has not looked at. */

export const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

/** `\d{4}-\d\d` */
export function isMonth(from: Buffer, at: number): boolean {
  return (
    isDigit(from[at]!) &&
    isDigit(from[at + 1]!) &&
    isDigit(from[at + 2]!) &&
    isDigit(from[at + 3]!) &&
    isDay(from, at + 4)
  )
}

/** `-\d\d` */
export function isDay(from: Buffer, at: number): boolean {
  return from[at] === MINUS && isDigit(from[at + 1]!) && isDigit(from[at + 2]!)
}

/** Of two digits. */
export function readTwo(from: Buffer, at: number): number {
  return (from[at]! - ZERO) * 10 + from[at + 1]! - ZERO
}

/** Answers where they end. */
export function writeTwo(value: number, to: Buffer, at: number): number {
  const tens = (value / 10) | 0
  to[at] = ZERO + tens
  to[at + 1] = ZERO + value - tens * 10
  return at + 2
}
