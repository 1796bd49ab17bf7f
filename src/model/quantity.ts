/** Durations and sizes as text: `500ms`, `5s`, `2d`, `64KiB`. */
import type { Bytes, Milliseconds } from './terms.ts'

export type Units = Readonly<Record<string, number>>

export const DURATION_UNITS: Units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
export const SIZE_UNITS: Units = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
}

/** Patterns of front matter. */
export const DURATION = '^[0-9]{1,9}(ms|s|m|h|d)$'
export const SIZE = '^[0-9]{1,9}(KiB|MiB|GiB)$'

/**
 * The number in base units, milliseconds or bytes; undefined if the text is no such quantity.
 * @param bareUnit of a number without a unit
 */
export function parseQuantity(text: string, units: Units, bareUnit?: number): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?)([A-Za-z]*)$/.exec(text) ?? []
  const factor = unit === '' ? bareUnit : units[unit]
  // why: `typeof`, since `units` inherits `constructor`
  if (amount === '' || typeof factor !== 'number') return undefined
  // why: there are at most three decimals, so rounding removes only errors of binary fractions
  const quantity = Math.round(Number(amount) * factor * 1000) / 1000
  return Number.isSafeInteger(quantity) ? quantity : undefined
}

/** @throws Error if the text is not a duration. */
export function durationMs(text: string): Milliseconds {
  const found = parseQuantity(text, DURATION_UNITS)
  if (found === undefined) throw new Error(`${text} is not a duration, expected one such as 5s`)
  return found
}

/** @throws Error if the text is not a size. */
export function sizeBytes(text: string): Bytes {
  const found = parseQuantity(text, SIZE_UNITS)
  if (found === undefined) throw new Error(`${text} is not a size, expected one such as 1MiB`)
  return found
}
