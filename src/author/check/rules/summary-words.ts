import type { ColumnType } from '../../../model/terms.ts'
import { summaryTypes } from '../../../definitions/totals.ts'
import { textsIn } from '../../../texts/texts.ts'
import type { TextRule } from './text-rule.ts'
import type { Rule } from './rule.ts'

const find: TextRule = ({ report, lineOf, product: { language } }) => {
  if (report === undefined) return []
  const types = summaryTypes(report, true)
  const texts = { summary: report.summary, emptySummary: report.emptySummary ?? '' }
  return Object.entries(texts).flatMap(([key, text]) =>
    [
      ...doubledUnits(text, types, language),
      ...literals(text),
      ...periods(text, language),
      ...plurals(text, language),
    ].map(message => ({ line: lineOf([key]), message: `${key}: ${message}` })),
  )
}

export const summaryWords: Rule = {
  id: 'summary-words',
  level: 'warning',
  sentence: 'The summary prints a unit twice, a brace as text, or a plural without `many`.',
  bad: 'summary: "{share} % of {amount} were sold."',
  good: 'summary: "{share} of {amount} were sold."',
  find,
}

function doubledUnits(
  text: string,
  types: ReadonlyMap<string, ColumnType>,
  language: string,
): string[] {
  const { units } = textsIn(language).bodies.check
  return Object.entries(units).flatMap(([type, unit]) => {
    const pattern = new RegExp(String.raw`\{(\w+)\}[\s\u00a0]*(${unit})`, 'giu')
    return Array.from(text.matchAll(pattern)).flatMap(([, name = '', found = '']) => {
      const own = types.get(name) ?? types.get(name.replace(/_abs$/, ''))
      return own === type
        ? [`{${name}} prints its unit itself, expected it without "${found}"`]
        : []
    })
  })
}

/** An apostrophe before a brace quotes the text up to the next apostrophe. */
function literals(text: string): string[] {
  return Array.from(
    text.matchAll(/'(\{\w+\})/g),
    ([, name = '']) => `'${name} is printed unchanged, expected ${name} without apostrophes`,
  )
}

/** A preposition before words that have their own. */
function periods(text: string, language: string): string[] {
  return textsIn(language).bodies.check.periods.flatMap(([pattern = '', message = '']) =>
    new RegExp(pattern, 'iu').test(text) ? [message] : [],
  )
}

/** The text of a plural form in braces, which may contain placeholders in braces. */
const FORM = String.raw`\{(?:[^{}]|\{[^{}]*\})*\}`
const PLURAL = new RegExp(
  String.raw`\{\s*(\w+)\s*,\s*plural\s*,((?:\s*[\w=]+\s*${FORM})*)\s*\}`,
  'g',
)

/** In Russian, `many` is for 5, and `other` for fractions. */
function plurals(text: string, language: string): string[] {
  if (new Intl.PluralRules(language).select(5) !== 'many') return []
  return Array.from(text.matchAll(PLURAL)).flatMap(([, name = '', forms = '']) => {
    const names = forms.replaceAll(new RegExp(FORM, 'g'), ' ').trim().split(/\s+/)
    // why: in the genitive, one and other are correct without few
    // why: loading reports misspelt forms
    const isKnown = names.every(form => /^(?:one|few|other|=\d+)$/.test(form))
    if (!names.includes('few') || !isKnown || !forms.includes('#')) return []
    return [
      `{${name}, plural, ...} has no "many": 5 prints with "other", which is for fractions, expected one, few, many and other`,
    ]
  })
}
