import type { Node } from 'libpg-query'
import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { callsIn, numberOf, stringOf } from '../../sql/expressions.ts'
import { inEachPart } from './draft.ts'
import type { Rule } from './rule.ts'

/** Dates, months and years that may be a period; 1900 and 9999 are bounds. */
const DATE = /^20(?:1[5-9]|[23]\d)-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[ T].*)?)?$/
const YEAR = /^20(?:1[5-9]|[23]\d)$/

export const literalPeriod: Rule = {
  id: 'literal-period',
  level: 'warning',
  sentence: 'A literal date or year is one period.',
  bad: "and sales.day >= '2026-01-01'",
  good: 'and sales.day >= :period_start',
  find: draft =>
    inEachPart(draft, ({ root, line }) => {
      const years = new Set(nodesOf(yearsIn(root), 'A_Const'))
      const others = new Set(nodesOf(otherDates(root), 'A_Const'))
      return nodesOf(root, 'A_Const').flatMap(node => {
        const text = stringOf({ A_Const: node })
        const value = text ?? numberOf({ A_Const: node }) ?? ''
        const isOne = (years.has(node) && YEAR.test(value)) || DATE.test(text ?? '')
        if (!isOne || others.has(node)) return []
        const written = text === undefined ? value : `'${text}'`
        const message = `${written} is one period, expected :period_start and :period_end, or :as_of`
        return [{ line: line(node), message }]
      })
    }),
}

/** A law changes on a date, as in `case when day >= '2026-01-01' then 22 else 20 end`; `date_bin` counts from one. */
function otherDates(root: Node): unknown[] {
  const cases = nodesOf(root, 'CaseWhen').filter(
    ({ expr }) => nodesOf(expr, 'ColumnRef').length > 0,
  )
  const bins = callsIn(root, ['date_bin']).map(({ args }) => args[2])
  return [...cases.map(({ expr }) => expr), ...bins]
}

/** `extract(year from day) = 2026`, `to_char(day, 'YYYY') in ('2025', '2026')`, `make_date(2026, 1, 1)` */
function yearsIn(root: Node): unknown[] {
  const compared = nodesOf(root, 'A_Expr').flatMap(({ lexpr, rexpr }) => [
    isYear(lexpr) && rexpr,
    isYear(rexpr) && lexpr,
  ])
  return [...compared, ...callsIn(root, ['make_date']).map(({ args }) => args[0])]
}

function isYear(node: Node | undefined): boolean {
  return callsIn(node, ['extract', 'date_part', 'to_char', 'date_trunc']).some(({ name, args }) => {
    const unit = stringOf(args[name === 'to_char' ? 1 : 0])
    return /year|yyyy/i.test(unit ?? '')
  })
}
