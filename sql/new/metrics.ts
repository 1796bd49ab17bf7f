/** Oracle of the metrics `new_metrics`: recomputes them in the simplest way from all raw rows. */
import { percent, sum } from '../arithmetic.ts'
import { within } from '../calendar.ts'
import { field } from '../oracle.ts'
import type { MetricsOracle } from '../oracle.ts'

export const oracle: MetricsOracle = (rows, { period }) => {
  const operations = rows.operations.filter(
    row =>
      field(row, 'status') === 'posted' &&
      field(row, 'kind') !== 'transfer' &&
      within(field(row, 'operation_date'), period),
  )
  const incoming = operations.filter(row => field(row, 'kind') === 'income')
  return {
    new_metrics_operations: BigInt(operations.length),
    new_metrics_amount: sum(operations.map(row => BigInt(field(row, 'amount_kopecks')))),
    new_metrics_incoming: percent(BigInt(incoming.length), BigInt(operations.length)),
  }
}
