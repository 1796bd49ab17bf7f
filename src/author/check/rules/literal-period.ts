import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { callsIn, numberOf, stringOf } from '../../sql/expressions.ts'
import { onEach, type Rule } from './rule.ts'

/** Dates and months that may be a period; 1900 and 9999 are bounds. */
const DATE = /^20(?:1[5-9]|[23]\d)-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[ T].*)?)?$/
const YEAR = /^20(?:1[5-9]|[23]\d)$/

export const literalPeriod: Rule = {
  sentence: 'A literal date or year is one period.',
  bad: "and sales.day >= '2026-01-01'",
  good: 'and sales.day >= :period_start',
  find: onEach(
    ({ expressions }) => {
      // why: a law changes on a date, as in `case when day >= '2026-01-01' then 22 else 20 end`
      const cases = nodesOf(expressions, 'CaseWhen').map(({ expr }) => expr)
      const others = nodesOf([cases, callsIn(expressions, ['date_bin'])], 'A_Const')
      const ofParts = nodesOf(expressions, 'A_Expr').filter(
        ({ lexpr, rexpr }) =>
          callsIn([lexpr, rexpr], ['extract', 'date_part', 'to_char']).length > 0,
      )
      const made = callsIn(expressions, ['make_date']).map(({ args }) => args[0])
      const years = nodesOf([ofParts, made], 'A_Const')
      return nodesOf(expressions, 'A_Const', { subqueries: false }).flatMap(A_Const => {
        const value = stringOf({ A_Const }) ?? numberOf({ A_Const }) ?? ''
        const isOne = DATE.test(value) || (years.includes(A_Const) && YEAR.test(value))
        return isOne && !others.includes(A_Const) ? [{ node: { A_Const } }] : []
      })
    },
    ({ node }, { part }) =>
      `${part.written(node)} is one period, expected :period_start and :period_end, or :as_of`,
  ),
}
