/** What the names in a summary stand for, and what each is used as. */
import type { ColumnType } from '../model/terms.ts'
import { asOf } from './calendar.ts'
import type { Totals } from './definition.ts'
import {
  dateWords,
  fieldWords,
  isNumeric,
  NONE,
  numberWords,
  periodDates,
  periodWords,
  pluralNumber,
  signOf,
  type NumericType,
} from './words.ts'

/** What every summary may name beside the report's own columns and facts. */
export const BUILT_INS: Readonly<Record<string, (totals: Totals) => string>> = {
  period: totals => periodWords(totals.period),
  period_dates: totals => periodDates(totals.period),
  as_of: totals => dateWords(asOf(totals.period, totals.today)),
  row_count: totals => fieldWords(String(totals.rowCount), 'integer'),
}

/** A column of the same name is not to be had in a summary: the built-in wins. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(BUILT_INS, name)
}

/** What a value is used as: its words, a plural's number and `#`, or a select's key. */
export type Use = 'words' | 'number' | 'hash' | 'choice'
export type Value = string | number

export interface Argument {
  readonly column: string
  readonly expected: string
  readonly uses: Partial<Record<Use, (totals: Totals) => Value>>
  /** All that a select may choose by; any text where it is left out. */
  readonly choices?: readonly string[]
}

/** What a name in a summary stands for. */
export function resolveArgument(
  name: string,
  types: ReadonlyMap<string, ColumnType>,
): Argument | undefined {
  if (name === 'row_count') return numeric(name, 'integer', totals => String(totals.rowCount))
  const words = isBuiltIn(name) ? BUILT_INS[name] : undefined
  if (words !== undefined) return { column: name, expected: `{${name}}`, uses: { words } }

  const type = types.get(name)
  if (type !== undefined && isNumeric(type)) return numeric(name, type, fieldOf(name))
  if (type !== undefined) return other(name, type)

  const [, column = '', suffix = ''] = /^(.*)_(abs|sign)$/.exec(name) ?? []
  const base = column === 'row_count' ? 'integer' : types.get(column)
  if (base === undefined || !isNumeric(base)) return undefined
  const read = fieldOf(column)
  if (suffix === 'abs') {
    return numeric(column, base, totals => read(totals)?.replace(/^-/, '') ?? null)
  }
  const choice = (totals: Totals) => {
    const raw = read(totals)
    return raw === null ? 'none' : signOf(raw, base)
  }
  const forms = SIGNS.map(sign => `${sign} {...}`).join(' ')
  return { column, expected: `{${name}, select, ${forms}}`, uses: { choice }, choices: SIGNS }
}

const SIGNS = ['negative', 'zero', 'positive', 'none', 'other']

type Read = (totals: Totals) => string | null

function fieldOf(name: string): Read {
  if (name === 'row_count') return totals => String(totals.rowCount)
  return totals => {
    const raw = totals.fields.get(name)
    if (raw === undefined)
      throw new Error(`the totals row has no "${name}", which the summary names`)
    return raw
  }
}

function numeric(column: string, type: NumericType, read: Read): Argument {
  const of =
    (words: (raw: string) => Value, none: Value): ((totals: Totals) => Value) =>
    totals => {
      const raw = read(totals)
      return raw === null ? none : words(raw)
    }
  return {
    column,
    expected: `{${column}}, plural, or {${column}_sign, select, ...}`,
    uses: {
      words: totals => fieldWords(read(totals), type),
      // Not a number has the plural form `other`.
      number: of(raw => pluralNumber(raw, type), Number.NaN),
      hash: of(raw => numberWords(raw, type), NONE),
    },
  }
}

function other(column: string, type: ColumnType): Argument {
  if (type === 'datetime') {
    return { column, expected: 'a column or a fact of type date', uses: {} }
  }
  const words = (totals: Totals) => fieldWords(fieldOf(column)(totals), type)
  // A text that says `none` is a text like all others, and not null.
  const choice = (totals: Totals) => {
    const raw = fieldOf(column)(totals)
    return raw === 'none' ? `${raw} ` : (raw ?? 'none')
  }
  return { column, expected: `{${column}}`, uses: type === 'text' ? { words, choice } : { words } }
}
