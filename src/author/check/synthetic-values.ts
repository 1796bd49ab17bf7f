/**
 * Synthetic values by column type: some equal, some negative, some null, and the first and last instants of a year.
 * They are the same in every check. Knows no database.
 */
import type { CatalogColumn, CatalogTable } from '../sql/catalog-tables.ts'
import type { NamedText } from './known-values.ts'

/** The current day of checks on synthetic rows; their period is its year. */
export const SYNTHETIC_DAY = '2024-03-31'

/** As JSON; undefined if no value of the type is known. */
export type SyntheticValue = string | number | boolean | null | readonly never[] | object

const INSTANTS = [
  '2024-03-31 00:00:00',
  '2024-03-31 00:00:00',
  '2024-01-01 00:00:00',
  '2024-12-31 23:59:59.999999',
  '2025-01-01 00:00:00',
  '2023-12-31 23:59:59.999999',
  '2024-03-22 12:00:00',
]
const NUMBERS = [100, 100, 250, 1, 7, 100, 30]
const TEXTS = ['Анна', 'beta', 'Beta', 'Анна', 'alpha', 'ёлка']

/** A hash of the words; the same in every process. */
export function hashOf(...words: ReadonlyArray<string | number>): number {
  let hash = 0x811c9dc5
  for (const character of words.join('\0')) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8
}

/** A value that other rows may share. @param texts values that checks and conditions name for the column */
export function syntheticValue(
  { type, category, labels }: CatalogColumn,
  hash: number,
  timeZone: string,
  texts: readonly string[],
): SyntheticValue | undefined {
  const pick = <T>(values: readonly T[]) => values[hash % values.length]
  if (labels.length > 0) return pick(labels)
  if (category === 'A') return []
  if (category === 'B') return hash % 2 === 0
  if (category === 'S') return textOf(pick(texts.length > 0 ? texts : TEXTS)!, type)
  if (category === 'N') return numberOf(type, pick(NUMBERS)!, hash)
  const instant = pick(INSTANTS)!
  if (type === 'date') return instant.slice(0, 10)
  if (type.startsWith('timestamp')) {
    const zone = type.endsWith('with time zone') ? ` ${timeZone}` : ''
    return `${instant}${zone}`
  }
  if (type === 'uuid') return uuidOf(hash)
  if (type === 'bytea') return `\\x${hash.toString(16).padStart(64, '0')}`
  if (type.startsWith('time')) return instant.slice(11)
  if (type.startsWith('json')) return {}
  return VALUES_BY_TYPE[type]
}

const DAYS = '[2024-01-01,2024-04-01)'
const VALUES_BY_TYPE: Readonly<Record<string, string>> = {
  interval: '1 day',
  daterange: DAYS,
  tsrange: DAYS,
  tstzrange: DAYS,
}

/** A value that differs for each row. */
export function uniqueValue(
  { type, category }: CatalogColumn,
  row: number,
): SyntheticValue | undefined {
  if (category === 'N') return row + 1
  if (category === 'S') return textOf(`k${row + 1}`, type)
  if (type === 'uuid') return uuidOf(row + 1)
  if (type === 'date') return new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10)
  return undefined
}

function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}

function textOf(text: string, type: string): string {
  const [, length] = /\((\d+)\)/.exec(type) ?? []
  return length === undefined ? text : text.slice(0, Number(length))
}

function numberOf(type: string, number: number, hash: number): number {
  const [, digits, scale = '0'] = /\((\d+),?(-?\d+)?\)/.exec(type) ?? []
  const isFraction = /^(real|double)/.test(type) || Number(scale) > 0
  const fits = digits === undefined || Number(digits) - Number(scale) > 2
  const size = fits ? number : number % 10
  const sign = (hash >> 5) % 5 === 0 ? -1 : 1
  return sign * (isFraction && fits ? size + 0.5 : size)
}

/** Texts with which checks and the definition's conditions compare the column. */
export function textsFor(
  table: CatalogTable,
  { name }: CatalogColumn,
  named: readonly NamedText[],
): string[] {
  const checks = table.checks.flatMap(({ condition, columns }) =>
    columns.includes(name) ? condition : [],
  )
  // why: the text in a time zone check is a date
  if (checks.some(check => /time zone|timezone/i.test(check))) return ['UTC', 'Europe/Moscow']
  const ofChecks = checks.flatMap(check =>
    Array.from(check.matchAll(/'((?:[^']|'')*)'::/g), ([, text = '']) =>
      text.replaceAll("''", "'"),
    ),
  )
  const ofConditions = named.flatMap(({ columns, text }) =>
    columns.some(one => one.name === name && one.relation.name === table.name) ? [text] : [],
  )
  // why: rows that the definition excludes show no fault, so texts of its conditions are more frequent
  return [...ofChecks, ...ofConditions, ...ofConditions, ...ofConditions]
}
