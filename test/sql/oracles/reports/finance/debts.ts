/** Oracle of the report `debts`. */
import { sums } from '../../arithmetic.ts'
import { asOf, daysBetween } from '../../calendar.ts'
import { dueDay, unpaidOn } from '../../debt-facts.ts'
import { innIn } from '../../grouped.ts'
import { byId, maybe, type ReportOracle } from '../../oracle.ts'
import { ascending, byIdentity, inOrder } from '../../order.ts'

const MEASURES = ['receivable', 'overdue_receivable', 'payable', 'overdue_payable'] as const

export const oracle: ReportOracle = (rows, { period, today }) => {
  const day = asOf(period, today)
  const counterparties = byId(rows.counterparties)
  const innOf = innIn(counterparties)
  const documents = unpaidOn(rows, day)
    .toSorted(
      inOrder(
        ascending(debt => dueDay(debt.row)),
        byIdentity(debt => debt.id),
      ),
    )
    .map(({ id, kind, accruedOn, amount, row }) => {
      const counterparty = counterparties.get(maybe(row, 'counterparty_id') ?? '')
      const days = daysBetween(dueDay(row), day)
      const overdue = days > 0n ? amount : 0n
      return {
        operation_id: id,
        counterparty: counterparty === undefined ? null : maybe(counterparty, 'name'),
        inn: innOf(maybe(row, 'counterparty_id')),
        document: maybe(row, 'document_number'),
        description: maybe(row, 'description'),
        date: accruedOn,
        due_on: dueDay(row),
        overdue_days: days > 0n ? days : 0n,
        receivable: kind === 'income' ? amount : 0n,
        overdue_receivable: kind === 'income' ? overdue : 0n,
        payable: kind === 'expense' ? amount : 0n,
        overdue_payable: kind === 'expense' ? overdue : 0n,
      }
    })
  const count = (side: 'receivable' | 'payable') =>
    BigInt(documents.filter(row => row[side] !== 0n).length)
  return {
    rows: documents,
    totals: sums(documents, MEASURES),
    facts: { receivables: count('receivable'), payables: count('payable') },
  }
}
