/** Rules on what a summary would print: units twice, braces as they stand, forms that Russian lacks. */
import type { Finding } from '../../../definitions/findings.ts'
import type { ColumnType } from '../../../model/terms.ts'
import { DEFAULTS } from '../../../definitions/schemas.ts'
import { summaryTypes } from '../../../definitions/totals.ts'
import type { TextRule } from './draft.ts'

export const sentences: TextRule = ({ report, lineOf }) => {
  if (report === undefined) return []
  const types = summaryTypes(report, true)
  const texts = { summary: report.summary, emptySummary: report.emptySummary }
  return Object.entries(texts).flatMap(([key, text = DEFAULTS.emptySummary]): Finding[] =>
    [...doubledUnits(text, types), ...literals(text), ...periods(text), ...plurals(text)].map(
      message => ({ line: lineOf([key]), message: `${key}: ${message}` }),
    ),
  )
}

const UNITS = /\{(\w+)\}[\s\u00a0]*(₽|руб(?:\.|л[а-я]+)?|%|процент[а-я]*)/giu

function doubledUnits(text: string, types: ReadonlyMap<string, ColumnType>): string[] {
  return Array.from(text.matchAll(UNITS)).flatMap(([, name = '', unit = '']) => {
    const type = types.get(name) ?? types.get(name.replace(/_abs$/, ''))
    const own = type === 'money' ? '₽' : type === 'percent' ? '%' : undefined
    const isMoney = /^(?:₽|р)/iu.test(unit)
    if (own === undefined || isMoney !== (own === '₽')) return []
    return [`{${name}} prints its ${own} itself, expected it without "${unit}"`]
  })
}

/** An apostrophe before a brace makes text of all up to the next one. */
function literals(text: string): string[] {
  return Array.from(
    text.matchAll(/'(\{\w+\})/g),
    ([, name = '']) => `'${name} is printed as it stands, expected ${name} without apostrophes`,
  )
}

/** «За с 1 января по 31 марта» */
function periods(text: string): string[] {
  if (!/(?:^|[^\p{L}])за\s+\{period_dates\}/iu.test(text)) return []
  return ['«за {period_dates}» prints "за с 1 января по ...", expected «за {period}»']
}

/** 1 сделка, 2 сделки, 5 сделок: `other` is for fractions. */
function plurals(text: string): string[] {
  return Array.from(text.matchAll(/\{\s*(\w+)\s*,\s*plural\s*,/g)).flatMap(found => {
    const name = found[1] ?? ''
    const forms = formsAt(text, found.index + found[0].length)
    const prints = forms.some(({ inner }) => inner.includes('#'))
    const has = (form: string) => forms.some(({ name }) => name === form)
    // why: `от {n, plural, one {# клиента} other {# клиентов}}` is right, and has no few
    // why: a form that is misspelt is said by loading
    const isKnown = forms.every(({ name }) => /^(?:one|few|other|=\d+)$/.test(name))
    if (!has('few') || !isKnown || !prints) return []
    return [
      `{${name}, plural, ...} has no "many", so that 5 prints with "other", which is for fractions, expected one, few, many and other`,
    ]
  })
}

/** The forms of a plural, from where the first may begin up to its closing brace. */
function formsAt(text: string, start: number): Array<{ name: string; inner: string }> {
  const forms: Array<{ name: string; inner: string }> = []
  let depth = 0
  let from = start
  let name = ''
  for (let at = start; at < text.length && depth >= 0; at++) {
    if (text[at] === '{' && depth++ === 0) {
      name = text.slice(from, at).trim()
      from = at + 1
    } else if (text[at] === '}' && --depth === 0) {
      forms.push({ name, inner: text.slice(from, at) })
      from = at + 1
    }
  }
  return forms
}
