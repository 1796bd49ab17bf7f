/** Durations of front matter: `500ms`, `5s`, `10m`, `24h`, `2d`. */
import type { Milliseconds } from '../model/terms.ts'

export const DURATION = '^[0-9]{1,9}(ms|s|m|h|d)$'

const UNITS: Record<string, Milliseconds> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** @throws Error if the text is not a duration. */
export function durationMs(text: string): Milliseconds {
  const [, count, unit = ''] = /^(\d{1,9})([a-z]+)$/.exec(text) ?? []
  const unitMs = UNITS[unit]
  if (unitMs === undefined) throw new Error(`${text} is not a duration, expected one such as 5s`)
  return Number(count) * unitMs
}
