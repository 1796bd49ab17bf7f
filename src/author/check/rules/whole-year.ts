import { callsIn, comparisonsIn, placeholdersIn, stringOf } from '../../sql/expressions.ts'
import { boundsOf, ENDS, STARTS } from './bounds.ts'
import { columnNames, onEach } from './text-rule.ts'
import type { Rule } from './rule.ts'

const RANGES = ['daterange', 'tsrange', 'tstzrange']

export const wholeYear: Rule = {
  id: 'whole-year',
  level: 'warning',
  sentence: 'The year of a bound takes in the whole year, whatever the period is.',
  bad: 'select 1 from sales where extract(year from day) = extract(year from :period_start)',
  good: 'select 1 from sales where day >= :period_start and day < :period_end',
  find: onEach(
    ({ expressions }) => comparisonsIn(expressions, { subqueries: false }),
    ({ left, sign, right }, { draft, part }) => {
      const [call] = callsIn(right, ['extract', 'date_part', 'date_trunc'])
      const unit = /^(?:year|quarter|month)$/i.exec(stringOf(call?.args[0]) ?? '')?.[0]
      const of = placeholdersIn(right).find(name => STARTS.has(name) || ENDS.has(name))
      const isBounded =
        boundsOf(draft).some(one => one.sign !== '=') || callsIn(part.root, RANGES).length > 0
      if (unit === undefined || of === undefined || sign !== '=' || isBounded) return undefined
      return (
        columnNames(left).length > 0 &&
        `${part.written(left)} = the ${unit} of :${of} includes the whole ${unit}, expected :period_start and :period_end`
      )
    },
  ),
}
