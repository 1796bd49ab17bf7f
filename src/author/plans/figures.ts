/** Figures as a person reads them. */
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
  return `${size < 10 ? size.toFixed(1) : count(size)} MiB`
}

export function duration(ms: Milliseconds): string {
  return `${ms < 9.95 ? ms.toFixed(1) : count(ms)} ms`
}

/** Never 0 % of something, nor 100 % of less than all. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %'
  if (part >= whole) return '100 %'
  const hundredths = (100 * part) / whole
  if (hundredths < 1) return 'under 1 %'
  return `${Math.min(99, Math.round(hundredths))} %`
}
