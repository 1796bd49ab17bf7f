/** Sizes of front matter: `64KiB`, `1MiB`. */
import type { Bytes } from '../model/terms.ts'

export const SIZE = '^[0-9]{1,9}(KiB|MiB|GiB)$'

const UNITS: Record<string, Bytes> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

/** @throws Error if the text is not a size. */
export function sizeBytes(text: string): Bytes {
  const [, count, unit = ''] = /^(\d{1,9})([A-Za-z]+)$/.exec(text) ?? []
  const unitBytes = UNITS[unit]
  if (unitBytes === undefined) throw new Error(`${text} is not a size, expected one such as 1MiB`)
  return Number(count) * unitBytes
}
