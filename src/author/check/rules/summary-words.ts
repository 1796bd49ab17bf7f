import { summaryTypes } from '../../../definitions/totals.ts'
import { textsIn } from '../../../texts/texts.ts'
import type { Rule } from './rule.ts'

export const summaryWords: Rule = {
  sentence: 'The summary prints a unit twice.',
  bad: 'summary: "{share} % of {amount} were sold."',
  good: 'summary: "{share} of {amount} were sold."',
  find: ({ report, lineOf, product: { language } }) => {
    if (report === undefined) return []
    const types = summaryTypes(report, true)
    const texts = Object.entries({ summary: report.summary, emptySummary: report.emptySummary })
    const units = Object.entries(textsIn(language).bodies.check.units)
    return texts.flatMap(([key, text = '']) =>
      units.flatMap(([type, unit]) => {
        const pattern = new RegExp(String.raw`\{(\w+)\}[\s\u00a0]*(${unit})`, 'giu')
        return Array.from(text.matchAll(pattern)).flatMap(([, name = '', found = '']) => {
          const own = types.get(name) ?? types.get(name.replace(/_abs$/, ''))
          const message = `${key}: {${name}} prints its unit itself, expected it without "${found}"`
          return own === type ? [{ line: lineOf([key]), message }] : []
        })
      }),
    )
  },
}
