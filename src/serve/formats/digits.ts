/** Digits and dates among bytes. Nothing is read past the end of a field whose length the caller has checked. */

export const MINUS = 0x2d
export const ZERO = 0x30
export const POINT = 0x2e
const NINE = 0x39
const BLANK = 0x20
const PLUS = 0x2b
const COLON = 0x3a

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

/** `\d{4}-\d\d` */
export function isMonth(from: Buffer, at: number): boolean {
  return areTwo(from, at) && areTwo(from, at + 2) && isDay(from, at + 4)
}

/** `-\d\d` */
export function isDay(from: Buffer, at: number): boolean {
  return from[at] === MINUS && areTwo(from, at + 1)
}

/** `.{10} \d\d:\d\d:\d\d(\.\d+)?\+00`, where the first ten are a date. */
export function isUtcInstant(from: Buffer, start: number, end: number): boolean {
  const fraction = start + SECONDS_LENGTH
  const zone = end - ZONE_LENGTH
  return (
    zone >= fraction &&
    from[zone] === PLUS &&
    from[zone + 1] === ZERO &&
    from[zone + 2] === ZERO &&
    from[start + 10] === BLANK &&
    areTwo(from, start + 11) &&
    from[start + 13] === COLON &&
    areTwo(from, start + 14) &&
    from[start + 16] === COLON &&
    areTwo(from, start + 17) &&
    (zone === fraction || isFraction(from, fraction, zone))
  )
}

/** `2026-03-01 10:00:00`, then perhaps a fraction, and the zone. */
export const SECONDS_LENGTH = 19
export const ZONE_LENGTH = '+00'.length

function isFraction(from: Buffer, start: number, end: number): boolean {
  if (from[start] !== POINT || end === start + 1) return false
  for (let place = start + 1; place < end; place += 1) if (!isDigit(from[place]!)) return false
  return true
}

function areTwo(from: Buffer, at: number): boolean {
  return isDigit(from[at]!) && isDigit(from[at + 1]!)
}

/** Of two digits. */
export function readTwo(from: Buffer, at: number): number {
  return (from[at]! - ZERO) * 10 + from[at + 1]! - ZERO
}

export function readYear(from: Buffer, at: number): number {
  return readTwo(from, at) * 100 + readTwo(from, at + 2)
}

/** @returns where they end, as all that writes here */
export function writeTwo(value: number, to: Buffer, at: number): number {
  const tens = (value / 10) | 0
  to[at] = ZERO + tens
  to[at + 1] = ZERO + value - tens * 10
  return at + 2
}

export function copyBytes(
  from: Buffer,
  start: number,
  end: number,
  to: Buffer,
  at: number,
): number {
  // why: fields are short, and a call of Buffer.copy takes longer than to copy them
  for (let place = start; place < end; place += 1) to[at++] = from[place]!
  return at
}
