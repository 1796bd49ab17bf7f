/** Oracle of the report `debts`. */
import { count, sums } from '../../arithmetic.ts'
import { asOf, daysBetween } from '../../calendar.ts'
import { dueDay, unpaidOn } from '../../debt-facts.ts'
import { nameIn } from '../../grouped.ts'
import { maybe, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'

const MEASURES = ['receivable', 'overdue_receivable', 'payable', 'overdue_payable'] as const

export const oracle: ReportOracle = (rows, { period, today }) => {
  const day = asOf(period, today)
  const nameOf = nameIn(rows.counterparties, 'name')
  const innOf = nameIn(rows.counterparties, 'inn')
  const documents = unpaidOn(rows, day).map(({ id, kind, accruedOn, amount, row }) => {
    const days = daysBetween(dueDay(row), day)
    const overdue = days > 0n ? amount : 0n
    return {
      operation_id: id,
      counterparty: nameOf(maybe(row, 'counterparty_id')),
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
  return {
    rows: sorted(documents, 'due_on', '#operation_id'),
    totals: sums(documents, MEASURES),
    facts: {
      receivables: count(documents.filter(row => row.receivable !== 0n)),
      payables: count(documents.filter(row => row.payable !== 0n)),
    },
  }
}
