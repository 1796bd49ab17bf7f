import { partsOfIntervals } from './intervals.ts'
import type { Rule } from './rule.ts'

export const intervalPart: Rule = {
  id: 'interval-part',
  level: 'warning',
  sentence: 'The hours of an interval are without its days.',
  bad: ', extract(hour from sales.sold_at - sales.made_at) as hours',
  good: ', extract(epoch from sales.sold_at - sales.made_at) / 3600 as hours',
  find: partsOfIntervals,
}
