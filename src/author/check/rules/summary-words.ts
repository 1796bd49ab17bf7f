import type { ColumnType } from '../../../model/terms.ts'
import { DEFAULTS } from '../../../definitions/schemas.ts'
import { summaryTypes } from '../../../definitions/totals.ts'
import type { TextRule } from './text-rule.ts'
import type { Rule } from './rule.ts'

const find: TextRule = ({ report, lineOf }) => {
  if (report === undefined) return []
  const types = summaryTypes(report, true)
  const texts = { summary: report.summary, emptySummary: report.emptySummary }
  return Object.entries(texts).flatMap(([key, text = DEFAULTS.emptySummary]) =>
    [...doubledUnits(text, types), ...literals(text), ...periods(text), ...plurals(text)].map(
      message => ({ line: lineOf([key]), message: `${key}: ${message}` }),
    ),
  )
}

export const summaryWords: Rule = {
  id: 'summary-words',
  level: 'warning',
  sentence: 'The summary prints a unit twice, a brace as text, or a plural without `many`.',
  bad: 'summary: "Sold for {amount} ₽."',
  good: 'summary: "Sold for {amount}."',
  find,
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

/** An apostrophe before a brace quotes the text up to the next apostrophe. */
function literals(text: string): string[] {
  return Array.from(
    text.matchAll(/'(\{\w+\})/g),
    ([, name = '']) => `'${name} is printed unchanged, expected ${name} without apostrophes`,
  )
}

/** «За с 1 января по 31 марта» */
function periods(text: string): string[] {
  if (!/(?:^|[^\p{L}])за\s+\{period_dates\}/iu.test(text)) return []
  return ['«за {period_dates}» prints "за с 1 января по ...", expected «за {period}»']
}

/** The text of a plural form in braces, which may contain placeholders in braces. */
const FORM = String.raw`\{(?:[^{}]|\{[^{}]*\})*\}`
const PLURAL = new RegExp(
  String.raw`\{\s*(\w+)\s*,\s*plural\s*,((?:\s*[\w=]+\s*${FORM})*)\s*\}`,
  'g',
)

/** 1 сделка, 2 сделки, 5 сделок: `many` is for 5, `other` for fractions. */
function plurals(text: string): string[] {
  return Array.from(text.matchAll(PLURAL)).flatMap(([, name = '', forms = '']) => {
    const names = forms.replaceAll(new RegExp(FORM, 'g'), ' ').trim().split(/\s+/)
    // why: `от {n, plural, one {# клиента} other {# клиентов}}` is correct without few
    // why: loading reports misspelt forms
    const isKnown = names.every(form => /^(?:one|few|other|=\d+)$/.test(form))
    if (!names.includes('few') || !isKnown || !forms.includes('#')) return []
    return [
      `{${name}, plural, ...} has no "many": 5 prints with "other", which is for fractions, expected one, few, many and other`,
    ]
  })
}
