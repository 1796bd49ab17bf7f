/** Oracle of the report `cash_flow`. */
import { count, sum, sums } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { flow, postedOperations, type Operation } from '../../operations-facts.ts'
import { field, kopecks, maybe, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'

const MEASURES = [
  'opening',
  'received',
  'paid',
  'transferred_in',
  'transferred_out',
  'closing',
] as const

/** Amounts of transfers between accounts. */
function transferred(list: readonly Operation[]): bigint {
  return sum(list.filter(({ kind }) => kind === 'transfer').map(({ amount }) => amount))
}

export const oracle: ReportOracle = (rows, { period }) => {
  const paid = postedOperations(rows).filter(operation => operation.paidOn !== null)
  const before = paid.filter(operation => operation.paidOn! < period.start)
  const during = paid.filter(operation => within(operation.paidOn!, period))
  const lines = rows.accounts.map(account => {
    const id = field(account, 'id')
    const from = (list: Operation[]) => list.filter(({ row }) => maybe(row, 'account_id') === id)
    const to = (list: Operation[]) => list.filter(({ row }) => maybe(row, 'to_account_id') === id)
    const opening =
      kopecks(account, 'opening_balance_kopecks') +
      sum(from(before).map(flow)) +
      transferred(to(before)) -
      transferred(from(before))
    const flows = from(during).map(flow)
    const received = sum(flows.filter(value => value > 0n))
    const spent = -sum(flows.filter(value => value < 0n))
    const [transferred_in, transferred_out] = [transferred(to(during)), transferred(from(during))]
    return {
      archived_at: maybe(account, 'archived_at'),
      account: field(account, 'name'),
      account_id: id,
      opening,
      received,
      paid: spent,
      transferred_in,
      transferred_out,
      closing: opening + received - spent + transferred_in - transferred_out,
    }
  })
  const shown = lines.filter(
    line => line.archived_at === null || MEASURES.some(measure => line[measure] !== 0n),
  )
  const inUse = lines.filter(({ archived_at, closing }) => archived_at === null || closing !== 0n)
  return {
    rows: sorted(shown, '-closing', 'account', '#account_id'),
    totals: sums(shown, MEASURES),
    facts: { accounts: count(inUse) },
  }
}
