// The rows as a person reads them. Pure.
import { aligned } from '../../src/terminal/columns.ts'
import type { Row, Target } from './row.ts'
import { verdictOf } from './verdict.ts'

/** Lines: the table, the small print of each row, and what falls short, is void or could not be had. */
export function tableOf(rows: readonly Row[]): string[] {
  const head = ['row', 'value', 'spread', 'target', 'verdict']
  const cells = rows.map(row => [
    row.name,
    row.value === undefined ? '-' : quantity(row.value, row.unit),
    row.spread === undefined ? '' : `${digits(row.spread[0])}-${digits(row.spread[1])}`,
    row.target === undefined ? '' : targetText(row.target, row.unit),
    verdictOf(row),
  ])
  const notes = rows.flatMap(row => {
    const words = [row.broke, row.void, row.note].filter(text => text !== undefined)
    return words.length === 0 ? [] : [`${row.name}: ${words.join('; ')}`]
  })
  return [
    ...aligned([head, ...cells]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
    ...closing(rows),
  ]
}

function closing(rows: readonly Row[]): string[] {
  const named = (...verdicts: string[]) =>
    rows.filter(row => verdicts.includes(verdictOf(row))).map(({ name }) => name)
  const short = named('falls short', 'broke off')
  const voided = named('void')
  const missing = named('not to be had')
  const nothing = voided.length + missing.length === rows.length
  return [
    nothing
      ? 'NOTHING WAS MEASURED: no row has a figure that counts.'
      : short.length === 0
        ? 'No row falls short.'
        : `FALLS SHORT: ${short.join('; ')}`,
    ...(voided.length === 0
      ? []
      : [`VOID, measure again on a quiet machine: ${voided.join('; ')}`]),
    ...(missing.length === 0 ? [] : [`NOT TO BE HAD here: ${missing.join('; ')}`]),
  ]
}

function quantity(value: number, unit: Row['unit']): string {
  return unit === 'x' ? `${digits(value)}x` : `${digits(value)} ${unit}`
}

function targetText(target: Target, unit: Row['unit']): string {
  return 'atLeast' in target
    ? `>= ${quantity(target.atLeast, unit)}`
    : `<= ${quantity(target.atMost, unit)}`
}

/** Three digits at least where there is a fraction. */
function digits(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0)
}
