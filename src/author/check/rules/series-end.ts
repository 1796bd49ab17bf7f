import { seriesEnds } from './ranges.ts'
import type { Rule } from './rule.ts'

export const seriesEnd: Rule = {
  id: 'series-end',
  level: 'warning',
  sentence: '`generate_series` also returns its end, which the period excludes.',
  bad: "select day from generate_series(:period_start, :period_end, interval '1 day') as d (day)",
  good: "select day from generate_series(:period_start, :period_end - 1, interval '1 day') as d (day)",
  find: seriesEnds,
}
