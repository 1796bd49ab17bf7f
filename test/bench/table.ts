// Prints the rows as a table, and determines the exit code. Pure.
import { aligned } from '../../src/author/terminal/columns.ts'
import type { Row, Target } from './bench.ts'

export function verdictOf({ broke, value, void: reason, target }: Row): string {
  if (broke !== undefined) return 'broke off'
  if (value === undefined) return 'not to be had'
  if (reason !== undefined) return 'void'
  if (target === undefined) return 'measured'
  const isReached = 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
  return isReached ? 'reached' : 'falls short'
}

/** 1 if a row misses its target or failed, 3 if a requirement is missing, else 0. Void rows do not count. */
export function exitCodeOf(rows: readonly Row[]): 0 | 1 | 3 {
  const verdicts = new Set(rows.map(verdictOf))
  if (verdicts.has('falls short') || verdicts.has('broke off')) return 1
  return verdicts.has('not to be had') ? 3 : 0
}

/** Lines: the table, details of each row, and the missed targets. */
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
    const words = [row.broke, row.void, row.note].filter(text => text)
    return words.length === 0 ? [] : [`${row.name}: ${words.join('; ')}`]
  })
  return [...aligned([head, ...cells]), '', ...notes, '', closing(rows)]
}

function closing(rows: readonly Row[]): string {
  const verdicts = rows.map(verdictOf)
  if (verdicts.every(verdict => verdict === 'void' || verdict === 'not to be had')) {
    return 'NOTHING WAS MEASURED: no row has a figure that counts.'
  }
  const short = rows.filter((_, at) => ['falls short', 'broke off'].includes(verdicts[at] ?? ''))
  if (short.length === 0) return 'No row falls short.'
  return `FALLS SHORT: ${short.map(({ name }) => name).join('; ')}`
}

function quantity(value: number, unit: Row['unit']): string {
  return unit === 'x' ? `${digits(value)}x` : `${digits(value)} ${unit}`
}

function targetText(target: Target, unit: Row['unit']): string {
  return 'atLeast' in target
    ? `>= ${quantity(target.atLeast, unit)}`
    : `<= ${quantity(target.atMost, unit)}`
}

/** At least three digits. */
function digits(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0)
}
