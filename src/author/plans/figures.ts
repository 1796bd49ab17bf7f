/** Formats figures for people. */
import type { Bytes, Milliseconds } from '../../model/terms.ts'

export function count(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}

/** `1 row`, `2 rows`. */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${Math.round(number) === 1 ? '' : 's'}`
}

export function mebibytes(bytes: Bytes): string {
  const size = bytes / 2 ** 20
  if (size < 0.1) return `${Math.ceil(bytes / 1024)} KiB`
  return `${size < 10 ? size.toFixed(1) : count(size)} MiB`
}

export function duration(ms: Milliseconds): string {
  return `${ms < 9.95 ? ms.toFixed(1) : count(ms)} ms`
}
