/** Oracle of the report `payments`. */
import { sums } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { nameIn } from '../../grouped.ts'
import { flow, postedOperations } from '../../operations-facts.ts'
import { byId, field, maybe, type RawRow, type ReportOracle } from '../../oracle.ts'
import { ascending, byIdentity, inOrder } from '../../order.ts'

function names(table: readonly RawRow[]) {
  return nameIn(byId(table), 'name', null)
}

export const oracle: ReportOracle = (rows, { period }) => {
  const category = names(rows.categories)
  const account = names(rows.accounts)
  const counterparty = names(rows.counterparties)
  const project = names(rows.projects)
  const found = postedOperations(rows)
    .filter(({ paidOn }) => paidOn !== null && within(paidOn, period))
    .toSorted(
      inOrder(
        ascending(operation => operation.paidOn ?? ''),
        byIdentity(operation => operation.id),
      ),
    )
    .map(operation => {
      const { id, kind, accruedOn, paidOn, amount, row } = operation
      const money = flow(operation)
      return {
        operation_id: id,
        paid_on: paidOn,
        date: accruedOn,
        category:
          kind === 'transfer' ? null : (category(maybe(row, 'category_id')) ?? 'Без статьи'),
        account: account(maybe(row, 'account_id')),
        to_account: account(maybe(row, 'to_account_id')),
        counterparty: counterparty(maybe(row, 'counterparty_id')),
        project: project(maybe(row, 'project_id')),
        description: maybe(row, 'description'),
        received: money > 0n ? money : 0n,
        paid: money < 0n ? -money : 0n,
        transferred: kind === 'transfer' ? amount : 0n,
        updated_at: field(row, 'updated_at'),
      }
    })
  return {
    rows: found,
    totals: sums(found, ['received', 'paid', 'transferred']),
    facts: {},
  }
}
