/** Oracle of the report `new_report`: recomputes it in the simplest way from all raw rows. */
import { sum } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { grouped, nameIn } from '../../grouped.ts'
import { field, kopecks } from '../../oracle.ts'
import type { RawRow, ReportOracle } from '../../oracle.ts'

function amountOf(kind: string, operations: readonly RawRow[]): bigint {
  const those = operations.filter(row => field(row, 'kind') === kind)
  return sum(those.map(row => kopecks(row)))
}

export const oracle: ReportOracle = (rows, { period }) =>
  grouped({
    facts: rows.operations.filter(
      row =>
        field(row, 'status') === 'posted' &&
        field(row, 'kind') !== 'transfer' &&
        within(field(row, 'operation_date'), period),
    ),
    column: 'counterparty_id',
    nameOf: nameIn(rows.counterparties, 'name', 'Без контрагента'),
    label: 'counterparty',
    figuresOf: operations => ({
      operations: BigInt(operations.length),
      income: amountOf('income', operations),
      expenses: amountOf('expense', operations),
    }),
    measure: 'income',
    summaryValues: lines => ({
      best: lines.find(({ id, income }) => id !== null && income > 0n)?.name ?? null,
    }),
  })
