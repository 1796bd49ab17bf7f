/** Oracle of the report `cash_flow_by_month`. */
import { sum } from '../../arithmetic.ts'
import { addDays, factMonths, later, monthName, within } from '../../calendar.ts'
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
  const paid = postedOperations(rows).filter(
    ({ kind, paidOn }) => kind !== 'transfer' && paidOn !== null,
  )
  const counted = paid.filter(({ paidOn }) => within(paidOn!, period))
  const dates = paid.map(({ paidOn }) => paidOn!)
  return {
    rows: factMonths(dates, question).map(month => ({
      month_name: monthName(month),
      month,
      ...figures(
        moneyBefore(later(period.start, `${month}-01`)),
        counted.filter(({ paidOn }) => paidOn!.startsWith(month)),
      ),
    })),
    totals: figures(moneyBefore(period.start), counted),
  }
}
