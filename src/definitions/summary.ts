/** Compiles a summary sentence, in ICU MessageFormat over the totals row, to functions. */
import { IntlMessageFormat } from 'intl-messageformat'
import type { ColumnType } from '../model/terms.ts'
import type { Totals } from './definition.ts'
import { suggest } from '../model/spelling.ts'
import { asOf } from './calendar.ts'
import { dateWords, inPeriodWords, periodDates, periodWords } from './date-words.ts'
import { DEFAULT_PRODUCT } from './product.ts'
import { memoized } from '../model/memoized.ts'
import { fieldWords, isNumeric, numberWords, pluralNumber } from './words.ts'
import { signOf, type NumericType } from './words.ts'

export interface Summary {
  /** Errors in the text; `format` may be called only if there are none. */
  readonly findings: readonly string[]
  /** The columns, facts and built-ins that it names. */
  readonly names: ReadonlySet<string>
  /** @throws Error if a column of the totals row is missing or has another type */
  readonly format: (totals: Totals) => string
}

type Read = (facts: Facts) => Value

/** The fields of a parsed message that are used here. */
interface Part {
  readonly type: number
  readonly value?: string
  readonly offset?: number
  readonly options?: Readonly<Record<string, { readonly value: readonly Part[] }>>
}
const LITERAL = 0
const ARGUMENT = 1
const SELECT = 5
const PLURAL = 6
const HASH = 7
const USES: Readonly<Record<number, Use>> = {
  [ARGUMENT]: 'words',
  [SELECT]: 'choice',
  [PLURAL]: 'number',
  [HASH]: 'hash',
}

/** @param types of the columns and facts that may be named */
export function compileSummary(
  text: string,
  types: ReadonlyMap<string, ColumnType>,
  language = DEFAULT_PRODUCT.language,
): Summary {
  const { rules, pluralForms } = pluralsIn(language)
  const findings = new Set<string>()
  const names = new Set<string>()

  const readerOf = (name: string, use: Use): Read => {
    const argument = resolveArgument(name, types)
    if (argument === undefined) {
      const known = [...types.keys(), ...Object.keys(BUILT_INS)]
      findings.add(`unknown {${name}}, ${suggest(name, known)}`)
      return () => ''
    }
    names.add(argument.column)
    const read = argument.uses[use]
    if (read === undefined) findings.add(`{${name}} ${MISUSE[use]}, expected ${argument.expected}`)
    return read ?? (() => '')
  }

  /** As ICU formats the message. why: ICU looks each formatter and option up again, at half of the cost of a sentence */
  const writerOf = (parts: readonly Part[], plural = '', inSelect = false): Write => {
    const writes = parts.map(({ type, value = '', offset = 0, options = {} }): Write => {
      const name = type === HASH ? plural : value
      const use = USES[type]
      if (use === undefined) {
        if (type !== LITERAL) {
          findings.add(`{${name}, ...} has a style, expected {${name}}: it prints by its type`)
        } else if (inSelect && plural !== '' && name.includes('#')) {
          findings.add(`# in a select inside of {${plural}, plural, ...}, expected {${plural}}`)
        }
        return () => value
      }
      if (offset !== 0) findings.add(`{${name}, plural, offset:...}, expected no offset`)
      const read = readerOf(name, use)
      if (type === ARGUMENT || type === HASH) return totals => String(read(totals))
      const kind = type === PLURAL ? 'plural' : 'select'
      const choices = type === PLURAL ? pluralForms : resolveArgument(name, types)?.choices
      const forms = new Map<string, Write>()
      for (const [form, option] of Object.entries(options)) {
        forms.set(form, writerOf(option.value, type === PLURAL ? name : plural, type === SELECT))
        if (choices?.includes(form) !== false || (type === PLURAL && /^=\d+$/.test(form))) continue
        findings.add(
          `"${form}" is not a form of {${name}, ${kind}, ...}, ${suggest(form, choices)}`,
        )
      }
      const other = forms.get('other')!
      if (type === SELECT) return totals => (forms.get(String(read(totals))) ?? other)(totals)
      return totals => {
        const number = Number(read(totals))
        return (forms.get(`=${number}`) ?? forms.get(rules.select(number)) ?? other)(totals)
      }
    })
    return totals => {
      let text = ''
      for (const write of writes) text += write(totals)
      return text
    }
  }

  const parts = parse(text, language)
  if (typeof parts === 'string') findings.add(parts)
  const write = writerOf(typeof parts === 'string' ? [] : parts)
  return {
    findings: [...findings],
    names,
    format(totals) {
      if (findings.size > 0) throw new Error([...findings].join('; '))
      return capitalized(write({ ...totals, language }))
    },
  }
}

interface Facts extends Totals {
  readonly language: string
}
type Write = (facts: Facts) => string

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other']

/** In Russian, `two` and `zero` are never selected, in English neither `few` nor `many`. */
const pluralsIn = memoized((language: string) => {
  const rules = new Intl.PluralRules(language)
  const selected: readonly string[] = rules.resolvedOptions().pluralCategories
  return { rules, pluralForms: FORMS.filter(form => selected.includes(form)) }
})

const MISUSE: Record<Use, string> = {
  words: 'stands alone',
  number: 'is not a number for plural',
  hash: 'is not a number for plural',
  choice: 'cannot be used in select',
}

function parse(text: string, language: string): Part[] | string {
  try {
    return new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).getAst()
  } catch (error) {
    const { message, location } = error as Error & { location?: { start: { offset: number } } }
    const at = location?.start.offset ?? 0
    const what = message.toLowerCase().replaceAll('_', ' ')
    return `ICU MessageFormat: ${what} at character ${at + 1}, near "${text.slice(at, at + 24)}", ${EXPECTED}`
  }
}

const EXPECTED =
  'expected {name}, {name, plural, ... other {...}} or {name, select, ... other {...}}'

export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Names that every summary may use, besides the report's columns and facts. */
export const BUILT_INS: Readonly<Record<string, Write>> = {
  period: ({ period, language }) => periodWords(period, language),
  in_period: ({ period, language }) => inPeriodWords(period, language),
  period_dates: ({ period, language }) => periodDates(period, language),
  as_of: ({ period, today, language }) => dateWords(asOf(period, today), language),
  row_count: ({ rowCount, language }) => fieldWords(String(rowCount), 'integer', language),
}

/** A built-in hides a column of the same name. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(BUILT_INS, name)
}

/** How a value is used: as words, as a plural's number or `#`, or as a select's key. */
type Use = 'words' | 'number' | 'hash' | 'choice'
type Value = string | number

interface Argument {
  readonly column: string
  readonly expected: string
  readonly uses: Partial<Record<Use, (facts: Facts) => Value>>
  /** Allowed keys of a select; any by default. */
  readonly choices?: readonly string[]
}

/** Undefined for an unknown name. */
function resolveArgument(
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

type FieldReader = (totals: Totals) => string | null

const SIGNS = ['negative', 'zero', 'positive', 'none', 'other']

function fieldOf(name: string): FieldReader {
  return ({ fields, rowCount }) => {
    const raw = name === 'row_count' ? String(rowCount) : fields.get(name)
    if (raw !== undefined) return raw
    throw new Error(`the totals row has no "${name}", which the summary names`)
  }
}

function numeric(column: string, type: NumericType, read: FieldReader): Argument {
  return {
    column,
    expected: `{${column}}, plural, or {${column}_sign, select, ...}`,
    uses: {
      words: of => fieldWords(read(of), type, of.language, of.currencyOf(column)),
      number: of => pluralNumber(read(of), type, of.currencyOf(column)?.digits),
      hash: of => numberWords(read(of), type, of.language, of.currencyOf(column)?.digits),
    },
  }
}

function other(column: string, type: ColumnType): Argument {
  const read = fieldOf(column)
  const words: Write = of => fieldWords(read(of), type, of.language)
  // why: the text `none` must differ from null
  const choice = (totals: Totals) => read(totals)?.replace(/^none$/, 'none ') ?? 'none'
  if (type === 'text') return { column, expected: `{${column}}`, uses: { words, choice } }
  if (type !== 'datetime') return { column, expected: `{${column}}`, uses: { words } }
  return { column, expected: 'a column or a fact of type date', uses: {} }
}

/** Chooses the sentence by the number of rows. */
export function summaryBy(summary: Summary, emptySummary: Summary) {
  return (totals: Totals): string => (totals.rowCount === 0 ? emptySummary : summary).format(totals)
}
