/** Digits and dates among bytes. Nothing is read past the end of a field whose length the caller has checked. */

export const MINUS = 0x2d
export const ZERO = 0x30
export const POINT = 0x2e
export const BLANK = 0x20
const NINE = 0x39
export const PLUS = 0x2b
const COLON = 0x3a

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

/** Where the point of `-?\d+(\.\d+)?` stands, `end` where it has none; -1 where it is no such number. */
export function pointOf(from: Buffer, start: number, end: number): number {
  const whole = start < end && from[start] === MINUS ? start + 1 : start
  const point = digitsEnd(from, whole, end)
  if (point === whole) return -1
  if (point === end) return end
  const isDecimal =
    from[point] === POINT && point + 1 < end && digitsEnd(from, point + 1, end) === end
  return isDecimal ? point : -1
}

function digitsEnd(from: Buffer, start: number, end: number): number {
  let place = start
  while (place < end && isDigit(from[place]!)) place += 1
  return place
}

/** `\d{4}-\d\d-\d\d` */
export function isDate(from: Buffer, at: number): boolean {
  return isMonth(from, at) && isDay(from, at + 7)
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
    (zone === fraction ||
      (from[fraction] === POINT &&
        fraction + 1 < zone &&
        digitsEnd(from, fraction + 1, zone) === zone))
  )
}

/** `2026-03-01 10:00:00`, then perhaps a fraction, and the zone. */
export const SECONDS_LENGTH = 19
export const ZONE_LENGTH = '+00'.length

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

/** Of a day, by its `23:59`. */
export function readMinutes(from: Buffer, at: number): number {
  return readTwo(from, at) * 60 + readTwo(from, at + 3)
}

/** @returns where they end, as all that writes here */
export function writeTwo(value: number, to: Buffer, at: number): number {
  const tens = (value / 10) | 0
  to[at] = ZERO + tens
  to[at + 1] = ZERO + value - tens * 10
  return at + 2
}

/** `23:59` */
export function writeMinutes(minutes: number, to: Buffer, at: number): number {
  const hours = (minutes / 60) | 0
  const colon = writeTwo(hours, to, at)
  to[colon] = COLON
  return writeTwo(minutes - hours * 60, to, colon + 1)
}

/** Writes a number a hundred times smaller, `1234.56` for `123456` and `0.125` for `12.5`. */
export function writeHundredth(
  from: Buffer,
  start: number,
  point: number,
  end: number,
  to: Buffer,
  at: number,
): number {
  let place = start
  if (from[place] === MINUS) {
    to[at++] = MINUS
    place += 1
  }
  const newPoint = point - 2
  if (newPoint <= place) to[at++] = ZERO
  while (place < newPoint) to[at++] = from[place++]!
  to[at++] = POINT
  for (let missing = newPoint; missing < place; missing += 1) to[at++] = ZERO
  at = copyBytes(from, place, point, to, at)
  return copyBytes(from, point + 1, end, to, at)
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
