/** The one sentence about a period: ICU MessageFormat over the totals row. */
import { IntlMessageFormat } from 'intl-messageformat'
import type { ColumnType } from '../model/terms.ts'
import type { Totals } from './definition.ts'
import { suggest } from './spelling.ts'
import { BUILT_INS, resolveArgument, type Use, type Value } from './summary-arguments.ts'

export interface Summary {
  /** What is wrong with the text; `format` may be called only where it is empty. */
  readonly findings: readonly string[]
  /** The columns, facts and built-ins that it names. */
  readonly names: ReadonlySet<string>
  /** @throws Error where the totals row lacks a column or holds something else than its type says */
  readonly format: (totals: Totals) => string
}

/** The parts of a parsed message that are looked at; they are rewritten in place. */
interface Part {
  type: number
  value?: string
  style?: unknown
  offset?: number
  options?: Record<string, { value: Part[] }>
}
const LITERAL = 0
const ARGUMENT = 1
const SELECT = 5
const PLURAL = 6
const HASH = 7

/** @param types of the columns and facts that may be named */
export function compileSummary(text: string, types: ReadonlyMap<string, ColumnType>): Summary {
  const findings: string[] = []
  const names = new Set<string>()
  const values = new Map<string, (totals: Totals) => Value>()

  /** The name under which a use of an argument gets its value: `x` as words and as a number differ. */
  const use = (name: string, as: Use): string => {
    const argument = resolveArgument(name, types)
    if (argument === undefined) {
      findings.push(
        `unknown {${name}}, ${suggest(name, [...types.keys(), ...Object.keys(BUILT_INS)])}`,
      )
      return name
    }
    names.add(argument.column)
    const read = argument.uses[as]
    if (read === undefined) findings.push(`{${name}} ${MISUSE[as]}, expected ${argument.expected}`)
    else values.set(`${name} ${as}`, read)
    return `${name} ${as}`
  }

  const rewrite = (parts: Part[], plural: string | undefined, inSelect: boolean): void => {
    for (const part of parts) {
      if (part.type === LITERAL) {
        if (inSelect && plural !== undefined && part.value?.includes('#') === true) {
          findings.push(`# in a select inside of {${plural}, plural, ...}, expected {${plural}}`)
        }
        continue
      }
      if (part.type === HASH) {
        // Only a plural has it, and its number prints exactly when it is an argument like others.
        const value = plural === undefined ? '' : use(plural, 'hash')
        Object.assign(part, { type: ARGUMENT, value })
        continue
      }
      const name = part.value ?? ''
      findings.push(...unknownForms(part, resolveArgument(name, types)?.choices))
      if (part.type === ARGUMENT) part.value = use(name, 'words')
      else if (part.type === SELECT || part.type === PLURAL) {
        if (part.offset !== undefined && part.offset !== 0) {
          findings.push(`{${name}, plural, offset:...}, expected no offset`)
        }
        part.value = use(name, part.type === PLURAL ? 'number' : 'choice')
        const isSelect = part.type === SELECT
        for (const option of Object.values(part.options ?? {})) {
          rewrite(option.value, isSelect ? plural : name, isSelect)
        }
      } else findings.push(`{${name}, ...} has a style, expected {${name}}: it prints by its type`)
    }
  }

  const message = parse(text)
  if (typeof message === 'string') findings.push(message)
  else rewrite(message.getAst(), undefined, false)
  return {
    findings: [...new Set(findings)],
    names,
    format(totals) {
      if (typeof message === 'string') throw new Error(message)
      const found = Object.fromEntries(Array.from(values, ([name, read]) => [name, read(totals)]))
      return capitalized(String(message.format(found)))
    },
  }
}

/** The plural forms that Russian has; `two` and `zero` would never be chosen. */
const PLURAL_FORMS = ['one', 'few', 'many', 'other']

/** Forms of a plural, or of a select whose choices are known, that nothing ever chooses. */
function unknownForms(part: Part, choices: readonly string[] | undefined): string[] {
  const known = part.type === PLURAL ? PLURAL_FORMS : part.type === SELECT ? choices : undefined
  if (known === undefined) return []
  const kind = part.type === PLURAL ? 'plural' : 'select'
  return Object.keys(part.options ?? {})
    .filter(form => !known.includes(form) && !(kind === 'plural' && /^=\d+$/.test(form)))
    .map(form => `"${form}" is no form of {${part.value}, ${kind}, ...}, ${suggest(form, known)}`)
}

const MISUSE: Record<Use, string> = {
  words: 'stands alone',
  number: 'is no number for plural',
  hash: 'is no number for plural',
  choice: 'is not to be selected by',
}

function parse(text: string): IntlMessageFormat | string {
  try {
    return new IntlMessageFormat(text, 'ru', undefined, { ignoreTag: true })
  } catch (error) {
    const { message = '', location } = Object(error)
    const place: unknown = location?.start?.offset
    if (typeof place !== 'number') return `ICU MessageFormat: ${message}`
    const near = text.slice(place, place + 24)
    const what = String(message).toLowerCase().replaceAll('_', ' ')
    const at = near === '' ? 'at its end' : `at character ${place + 1}, near "${near}"`
    return `ICU MessageFormat: ${what} ${at}, expected ${expectedFor(String(message))}`
  }
}

function expectedFor(code: string): string {
  if (code === 'INVALID_ARGUMENT_TYPE') return '{name}, {name, plural, ...} or {name, select, ...}'
  if (code === 'MISSING_OTHER_CLAUSE') return 'a form "other {...}"'
  return 'balanced braces around a name or a plural or select form'
}

function capitalized(text: string): string {
  return text.slice(0, 1).toLocaleUpperCase('ru') + text.slice(1)
}
