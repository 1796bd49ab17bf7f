/** Arguments of a summary: the values of its names, by use. */
import type { ColumnType } from '../model/terms.ts'
import { asOf } from './calendar.ts'
import type { Totals } from './definition.ts'
import {
  dateWords,
  fieldWords,
  isNumeric,
  numberWords,
  periodDates,
  periodWords,
  pluralNumber,
  signOf,
  type NumericType,
} from './words.ts'

/** Names that every summary may use, besides the report's columns and facts. */
export const BUILT_INS: Readonly<Record<string, (totals: Totals) => string>> = {
  period: totals => periodWords(totals.period),
  period_dates: totals => periodDates(totals.period),
  as_of: totals => dateWords(asOf(totals.period, totals.today)),
  row_count: totals => fieldWords(String(totals.rowCount), 'integer'),
}

/** A built-in hides a column of the same name. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(BUILT_INS, name)
}

/** How a value is used: as words, as a plural's number or `#`, or as a select's key. */
export type Use = 'words' | 'number' | 'hash' | 'choice'
export type Value = string | number

export interface Argument {
  readonly column: string
  readonly expected: string
  readonly uses: Partial<Record<Use, (totals: Totals) => Value>>
  /** Allowed keys of a select; any by default. */
  readonly choices?: readonly string[]
}

/** Undefined for an unknown name. */
export function resolveArgument(
  name: string,
  types: ReadonlyMap<string, ColumnType>,
): Argument | undefined {
  const typeOf = (column: string) => (column === 'row_count' ? 'integer' : types.get(column))
  const words = isBuiltIn(name) && name !== 'row_count' ? BUILT_INS[name] : undefined
  if (words !== undefined) return { column: name, expected: `{${name}}`, uses: { words } }
  const type = typeOf(name)
  if (type !== undefined) {
    return isNumeric(type) ? numeric(name, type, fieldOf(name)) : other(name, type)
  }
  const [, column = '', suffix = ''] = /^(.*)_(abs|sign)$/.exec(name) ?? []
  const base = typeOf(column)
  if (base === undefined || !isNumeric(base)) return undefined
  const read = fieldOf(column)
  if (suffix === 'abs') {
    return numeric(column, base, totals => read(totals)?.replace(/^-/, '') ?? null)
  }
  const choice = (totals: Totals) => signOf(read(totals), base)
  const forms = SIGNS.map(sign => `${sign} {...}`).join(' ')
  return { column, expected: `{${name}, select, ${forms}}`, uses: { choice }, choices: SIGNS }
}

const SIGNS = ['negative', 'zero', 'positive', 'none', 'other']

type Read = (totals: Totals) => string | null

function fieldOf(name: string): Read {
  return ({ fields, rowCount }) => {
    const raw = name === 'row_count' ? String(rowCount) : fields.get(name)
    if (raw !== undefined) return raw
    throw new Error(`the totals row has no "${name}", which the summary names`)
  }
}

function numeric(column: string, type: NumericType, read: Read): Argument {
  return {
    column,
    expected: `{${column}}, plural, or {${column}_sign, select, ...}`,
    uses: {
      words: totals => fieldWords(read(totals), type),
      number: totals => pluralNumber(read(totals), type),
      hash: totals => numberWords(read(totals), type),
    },
  }
}

function other(column: string, type: ColumnType): Argument {
  const read = fieldOf(column)
  const words = (totals: Totals) => fieldWords(read(totals), type)
  // why: the text `none` must differ from null
  const choice = (totals: Totals) => read(totals)?.replace(/^none$/, 'none ') ?? 'none'
  if (type === 'text') return { column, expected: `{${column}}`, uses: { words, choice } }
  if (type !== 'datetime') return { column, expected: `{${column}}`, uses: { words } }
  return { column, expected: 'a column or a fact of type date', uses: {} }
}
