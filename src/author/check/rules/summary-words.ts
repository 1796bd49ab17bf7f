import { sentences } from './sentences.ts'
import type { Rule } from './rule.ts'

export const summaryWords: Rule = {
  id: 'summary-words',
  level: 'warning',
  sentence: 'The summary prints a unit twice, a brace as text, or a plural without `many`.',
  bad: 'summary: "Sold for {amount} ₽."',
  good: 'summary: "Sold for {amount}."',
  find: sentences,
}
