/** Compiles a summary sentence, in ICU MessageFormat over the totals row, to functions. */
import { IntlMessageFormat } from 'intl-messageformat'
import type { ColumnType } from '../model/terms.ts'
import type { Totals } from './definition.ts'
import { suggest } from '../model/spelling.ts'
import { BUILT_INS, resolveArgument, type Use, type Value } from './summary-arguments.ts'

export interface Summary {
  /** Errors in the text; `format` may be called only if there are none. */
  readonly findings: readonly string[]
  /** The columns, facts and built-ins that it names. */
  readonly names: ReadonlySet<string>
  /** @throws Error if a column of the totals row is missing or has another type */
  readonly format: (totals: Totals) => string
}

type Read = (totals: Totals) => Value

/** The fields of a parsed message that are used here; they are rewritten in place. */
interface Part {
  type: number
  value?: string
  offset?: number
  options?: Record<string, { value: Part[] }>
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
export function compileSummary(text: string, types: ReadonlyMap<string, ColumnType>): Summary {
  const findings = new Set<string>()
  const names = new Set<string>()
  const values = new Map<string, Read>()

  /** The name of a value in the rewritten message: `x` as words and `x` as a number are two values. */
  const use = (name: string, as: Use): string => {
    const argument = resolveArgument(name, types)
    if (argument === undefined) {
      const known = [...types.keys(), ...Object.keys(BUILT_INS)]
      findings.add(`unknown {${name}}, ${suggest(name, known)}`)
      return name
    }
    names.add(argument.column)
    const read = argument.uses[as]
    if (read === undefined) findings.add(`{${name}} ${MISUSE[as]}, expected ${argument.expected}`)
    else values.set(`${name} ${as}`, read)
    return `${name} ${as}`
  }

  const rewrite = (parts: Part[], plural = '', inSelect = false): void => {
    for (const part of parts) {
      const { type, offset = 0, options = {} } = part
      const name = type === HASH ? plural : (part.value ?? '')
      const as = USES[type]
      if (as === undefined) {
        if (type !== LITERAL) {
          findings.add(`{${name}, ...} has a style, expected {${name}}: it prints by its type`)
        } else if (inSelect && plural !== '' && name.includes('#')) {
          findings.add(`# in a select inside of {${plural}, plural, ...}, expected {${plural}}`)
        }
        continue
      }
      if (offset !== 0) findings.add(`{${name}, plural, offset:...}, expected no offset`)
      const choices = type === PLURAL ? PLURAL_FORMS : resolveArgument(name, types)?.choices
      for (const form of Object.keys(choices === undefined ? {} : options)) {
        if (choices?.includes(form) || (type === PLURAL && /^=\d+$/.test(form))) continue
        const kind = type === PLURAL ? 'plural' : 'select'
        findings.add(
          `"${form}" is not a form of {${name}, ${kind}, ...}, ${suggest(form, choices ?? [])}`,
        )
      }
      part.value = use(name, as)
      // why: a number at `#` may lose digits; as an argument it is formatted exactly
      if (type === HASH) part.type = ARGUMENT
      for (const option of Object.values(options)) {
        rewrite(option.value, type === PLURAL ? name : plural, type === SELECT)
      }
    }
  }

  const parts = parse(text)
  if (typeof parts === 'string') findings.add(parts)
  else rewrite(parts)
  const write = findings.size === 0 ? writerOf(parts as Part[], values) : undefined
  return {
    findings: [...findings],
    names,
    format(totals) {
      if (write === undefined) throw new Error([...findings].join('; '))
      return capitalized(write(totals))
    },
  }
}

type Write = (totals: Totals) => string

const RULES = new Intl.PluralRules('ru')

/** As ICU formats the message. why: ICU looks each formatter and option up again, at half of the cost of a sentence */
function writerOf(parts: readonly Part[], values: ReadonlyMap<string, Read>): Write {
  const writes = parts.map(({ type, value = '', options = {} }): Write => {
    if (type === LITERAL) return () => value
    const read = values.get(value)!
    if (type === ARGUMENT) return totals => String(read(totals))
    const forms = new Map(
      Object.entries(options).map(([form, option]) => [form, writerOf(option.value, values)]),
    )
    const other = forms.get('other')!
    if (type === SELECT) return totals => (forms.get(String(read(totals))) ?? other)(totals)
    return totals => {
      const number = Number(read(totals))
      return (forms.get(`=${number}`) ?? forms.get(RULES.select(number)) ?? other)(totals)
    }
  })
  return totals => {
    let text = ''
    for (const write of writes) text += write(totals)
    return text
  }
}

/** The plural forms of Russian; `two` and `zero` are never selected. */
const PLURAL_FORMS = ['one', 'few', 'many', 'other']

const MISUSE: Record<Use, string> = {
  words: 'stands alone',
  number: 'is not a number for plural',
  hash: 'is not a number for plural',
  choice: 'cannot be used in select',
}

function parse(text: string): Part[] | string {
  try {
    return new IntlMessageFormat(text, 'ru', undefined, { ignoreTag: true }).getAst()
  } catch (error) {
    const { message, location } = error as Error & { location?: { start: { offset: number } } }
    const at = location?.start.offset ?? 0
    const what = message.toLowerCase().replaceAll('_', ' ')
    return `ICU MessageFormat: ${what} at character ${at + 1}, near "${text.slice(at, at + 24)}", ${EXPECTED}`
  }
}

const EXPECTED =
  'expected {name}, {name, plural, ... other {...}} or {name, select, ... other {...}}'

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
