/** Oracle of the report `cash_flow`. */
import { sum, sums } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { flow, postedOperations, type Operation } from '../../operations-facts.ts'
import { field, maybe, type ReportOracle } from '../../oracle.ts'
import { ranked } from '../../order.ts'

const MEASURES = [
  'opening',
  'received',
  'paid',
  'transferred_in',
  'transferred_out',
  'closing',
] as const

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}

/** Amounts of transfers between accounts. */
function transferred(list: readonly Operation[]): bigint {
  return sum(list.filter(({ kind }) => kind === 'transfer').map(({ amount }) => amount))
}

export const oracle: ReportOracle = (rows, { period }) => {
  const paid = postedOperations(rows).filter(operation => operation.paidOn !== null)
  const lines = rows.accounts.map(account => {
    const id = field(account, 'id')
    const from = (list: Operation[]) =>
      list.filter(operation => maybe(operation.row, 'account_id') === id)
    const to = (list: Operation[]) =>
      list.filter(operation => maybe(operation.row, 'to_account_id') === id)

    const before = paid.filter(operation => (operation.paidOn ?? '') < period.start)
    const during = paid.filter(operation => within(operation.paidOn ?? '', period))
    const opening =
      BigInt(field(account, 'opening_balance_kopecks')) +
      sum(from(before).map(flow)) +
      transferred(to(before)) -
      transferred(from(before))
    const flows = from(during).map(flow)
    const received = sum(flows.map(positive))
    const spent = sum(flows.map(value => positive(-value)))
    const transferredIn = transferred(to(during))
    const transferredOut = transferred(from(during))
    return {
      id,
      archived: maybe(account, 'archived_at') !== null,
      row: {
        account: field(account, 'name'),
        account_id: id,
        opening,
        received,
        paid: spent,
        transferred_in: transferredIn,
        transferred_out: transferredOut,
        closing: opening + received - spent + transferredIn - transferredOut,
      },
    }
  })
  const shown = lines
    .filter(line => !line.archived || MEASURES.some(measure => line.row[measure] !== 0n))
    .toSorted(
      ranked(
        line => line.row.closing,
        line => line.row.account,
        line => line.id,
      ),
    )
  const inUse = lines.filter(({ archived, row }) => !archived || row.closing !== 0n)
  return {
    rows: shown.map(line => line.row),
    totals: sums(
      shown.map(({ row }) => row),
      MEASURES,
    ),
    facts: { accounts: BigInt(inUse.length) },
  }
}
