import { dateFormats } from './date-formats.ts'
import type { Rule } from './rule.ts'

export const dateFormat: Rule = {
  id: 'date-format',
  level: 'warning',
  sentence: 'A format of `to_char` prints something other than it seems to.',
  bad: ", to_char(sales.day, 'DD.MI.YYYY') as day",
  good: ", to_char(sales.day, 'DD.MM.YYYY') as day",
  find: dateFormats,
}
