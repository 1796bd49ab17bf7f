import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { callsIn, numberOf, stringOf } from '../../sql/expressions.ts'
import { inEachPart } from './draft.ts'
import type { Rule } from './rule.ts'

/** Dates and months that may be a period; 1900 and 9999 are bounds. */
const DATE = /^20(?:1[5-9]|[23]\d)-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[ T].*)?)?$/
const YEAR = /^20(?:1[5-9]|[23]\d)$/

export const literalPeriod: Rule = {
  id: 'literal-period',
  level: 'warning',
  sentence: 'A literal date or year is one period.',
  bad: "and sales.day >= '2026-01-01'",
  good: 'and sales.day >= :period_start',
  find: draft =>
    inEachPart(draft, ({ root, line, written }) => {
      // why: a law changes on a date, as in `case when day >= '2026-01-01' then 22 else 20 end`
      const cases = nodesOf(root, 'CaseWhen').map(({ expr }) => expr)
      const bins = callsIn(root, ['date_bin']).map(({ args }) => args[2])
      const others = new Set(nodesOf([cases, bins], 'A_Const'))
      const ofParts = nodesOf(root, 'A_Expr').filter(
        ({ lexpr, rexpr }) =>
          callsIn([lexpr, rexpr], ['extract', 'date_part', 'to_char']).length > 0,
      )
      const made = callsIn(root, ['make_date']).map(({ args }) => args[0])
      const years = new Set(nodesOf([ofParts, made], 'A_Const'))
      return nodesOf(root, 'A_Const').flatMap(node => {
        const value = stringOf({ A_Const: node }) ?? numberOf({ A_Const: node }) ?? ''
        const isOne = DATE.test(value) || (years.has(node) && YEAR.test(value))
        if (!isOne || others.has(node)) return []
        const message = `${written({ A_Const: node })} is one period, expected :period_start and :period_end, or :as_of`
        return [{ line: line(node), message }]
      })
    }),
}
