import { placeholdersIn } from '../../sql/expressions.ts'
import { ENDS, STARTS, TODAYS } from './bounds.ts'
import { partsOf } from './draft.ts'
import type { Rule } from './rule.ts'

export const noPeriod: Rule = {
  sentence: 'No placeholder of the period: every period has the same result.',
  bad: 'select sales.day from sales',
  good: 'select sales.day from sales where sales.day < :period_end',
  find: draft => {
    const { shared, columns = {} } = draft.report ?? {}
    const hasDate = Object.values(columns).some(({ type }) => /date|month/.test(type))
    // why: a list for all organizations without dates needs none
    if (shared === true && !hasDate) return []
    const names = partsOf(draft).flatMap(({ root }) => placeholdersIn(root))
    if (names.some(name => [STARTS, ENDS, TODAYS].some(all => all.has(name)))) return []
    const { whereClause: condition } = draft.query.selects[0]?.node ?? {}
    const others = condition === undefined ? '' : ` and (${draft.statement.written(condition)})`
    const message = `no placeholder of the period: every period has the same result, expected :period_start and :period_end, or :as_of; for the present state, without rows in other periods, where :as_of = :today${others}`
    return [{ line: draft.statement.line(undefined), message }]
  },
}
