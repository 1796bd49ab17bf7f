/** Oracle of the report `payments`. */
import { sums } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { flow, operationColumns, postedOperations } from '../../operations-facts.ts'
import type { ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'

export const oracle: ReportOracle = (rows, { period }) => {
  const columns = operationColumns(rows)
  const found = postedOperations(rows)
    .filter(({ paidOn }) => paidOn !== null && within(paidOn, period))
    .map(operation => {
      const { id, kind, paidOn, amount } = operation
      const money = flow(operation)
      return {
        ...columns(operation),
        id,
        paidOn: paidOn!,
        received: money > 0n ? money : 0n,
        paid: money < 0n ? -money : 0n,
        transferred: kind === 'transfer' ? amount : 0n,
      }
    })
  return {
    rows: sorted(found, 'paidOn', '#id'),
    totals: sums(found, ['received', 'paid', 'transferred']),
  }
}
