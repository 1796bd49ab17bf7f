import { ranges } from './ranges.ts'
import type { Rule } from './rule.ts'

export const rangeEnd: Rule = {
  id: 'range-end',
  level: 'warning',
  sentence: 'A range includes its end, which the period excludes.',
  bad: "and daterange(:period_start, :period_end, '[]') @> sales.day",
  good: 'and daterange(:period_start, :period_end) @> sales.day',
  find: ranges,
}
