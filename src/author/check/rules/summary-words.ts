import { summaryTypes } from '../../../definitions/totals.ts'
import { textsIn } from '../../../texts/texts.ts'
import type { Rule } from './rule.ts'

export const summaryWords: Rule = {
  id: 'summary-words',
  level: 'warning',
  sentence: 'The summary prints a unit twice, or a plural without `many`.',
  bad: 'summary: "{share} % of {amount} were sold."',
  good: 'summary: "{share} of {amount} were sold."',
  find: ({ report, lineOf, product: { language } }) => {
    if (report === undefined) return []
    const types = summaryTypes(report, true)
    const doubledUnits = (text: string) =>
      Object.entries(textsIn(language).bodies.check.units).flatMap(([type, unit]) => {
        const pattern = new RegExp(String.raw`\{(\w+)\}[\s\u00a0]*(${unit})`, 'giu')
        return Array.from(text.matchAll(pattern)).flatMap(([, name = '', found = '']) => {
          const own = types.get(name) ?? types.get(name.replace(/_abs$/, ''))
          const message = `{${name}} prints its unit itself, expected it without "${found}"`
          return own === type ? [message] : []
        })
      })
    const texts = { summary: report.summary, emptySummary: report.emptySummary ?? '' }
    return Object.entries(texts).flatMap(([key, text]) =>
      [...doubledUnits(text), ...plurals(text, language)].map(message => {
        return { line: lineOf([key]), message: `${key}: ${message}` }
      }),
    )
  },
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
    return `{${name}, plural, ...} has no "many": 5 prints with "other", which is for fractions, expected one, few, many and other`
  })
}
