/** Oracle of the report `cash_flow_by_month`. */
import { sum } from '../../arithmetic.ts'
import { addDays, later, monthName, within } from '../../calendar.ts'
import { factMonths } from '../../moments.ts'
import { flow, moneyOn, postedOperations, type Operation } from '../../operations-facts.ts'
import type { ReportOracle } from '../../oracle.ts'

function figures(opening: bigint, operations: readonly Operation[]) {
  const total = (list: readonly Operation[]) => sum(list.map(flow))
  const of = (section: string) => total(operations.filter(other => other.section === section))
  const net = total(operations)
  return {
    opening,
    received: total(operations.filter(operation => flow(operation) > 0n)),
    paid: -total(operations.filter(operation => flow(operation) < 0n)),
    operating: net - of('investing') - of('financing'),
    investing: of('investing'),
    financing: of('financing'),
    net,
    closing: opening + net,
  }
}

export const oracle: ReportOracle = (rows, question) => {
  const { period } = question
  const moneyBefore = (date: string) => moneyOn(rows, addDays(date, -1))
  const facts = postedOperations(rows).flatMap(operation =>
    operation.kind === 'transfer' || operation.paidOn === null
      ? []
      : [{ operation, date: operation.paidOn }],
  )
  const dates = facts.map(({ date }) => date)
  const counted = facts.filter(({ date }) => within(date, period))
  const operationsOf = (list: typeof facts) => list.map(({ operation }) => operation)
  return {
    rows: factMonths(dates, question).map(month => {
      const opening = moneyBefore(later(period.start, `${month}-01`))
      const here = counted.filter(({ date }) => date.startsWith(month))
      return Object.assign(
        { month_name: monthName(month), month },
        figures(opening, operationsOf(here)),
      )
    }),
    totals: figures(moneyBefore(period.start), operationsOf(counted)),
  }
}
