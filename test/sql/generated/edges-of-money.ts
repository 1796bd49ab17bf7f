/** Edges of operations and accounts. */
import { addDays, daysBetween, within } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import { dueDay, has, isOpen, kopecks, lastDay, posted, text } from './edges.ts'
import type { Edge } from './edges.ts'
import type { Generated } from './tables.ts'

function some(name: string, is: (operation: Generated, question: Question) => boolean): Edge {
  return { name, occurs: ({ operations }, q) => operations.some(row => is(row, q)) }
}

const ages: readonly Edge[] = [0, 30, 31, 60, 61, 90, 91].map(days =>
  some(
    `a debt of ${days} days`,
    (row, question) =>
      isOpen(row, question) &&
      daysBetween(text(row, 'operation_date'), lastDay(question)) === BigInt(days),
  ),
)

const plans: readonly Edge[] = ['with due_on', 'without due_on'].flatMap(kind => {
  const isPlan = (row: Generated) =>
    row['status'] === 'planned' && has(row, 'due_on') === (kind === 'with due_on')
  return [
    some(`a plan of the past ${kind}`, (row, q) => isPlan(row) && dueDay(row) < q.today),
    some(`a plan of today ${kind}`, (row, q) => isPlan(row) && dueDay(row) === q.today),
    some(`a plan of the future ${kind}`, (row, q) => isPlan(row) && dueDay(row) > q.today),
  ]
})

const advances: readonly Edge[] = ['income', 'expense'].flatMap(kind => [
  some(
    `an advance of ${kind}, paid and dated after today`,
    (row, { today }) =>
      row['status'] === 'posted' &&
      row['kind'] === kind &&
      has(row, 'paid_on') &&
      text(row, 'operation_date') > today,
  ),
  some(
    `an advance of ${kind} at the end of the period`,
    (row, question) =>
      row['status'] === 'posted' &&
      row['kind'] === kind &&
      has(row, 'paid_on') &&
      text(row, 'paid_on') <= lastDay(question) &&
      text(row, 'operation_date') > lastDay(question),
  ),
])

export const EDGES_OF_MONEY: readonly Edge[] = [
  ...ages,
  ...plans,
  ...advances,
  some('a refund', row => row['status'] === 'posted' && kopecks(row) < 0n),
  some(
    'a cancelled operation that was paid',
    r => r['status'] === 'cancelled' && has(r, 'paid_on'),
  ),
  some('an unpaid operation', (row, question) => isOpen(row, question) && !has(row, 'paid_on')),
  some(
    'a payment after the end of the period',
    (row, question) => isOpen(row, question) && text(row, 'paid_on') >= question.period.end,
  ),
  some(
    'a debt that is overdue since yesterday',
    (row, q) => isOpen(row, q) && text(row, 'due_on') === addDays(lastDay(q), -1),
  ),
  some('a debt that is due today', (r, q) => isOpen(r, q) && text(r, 'due_on') === lastDay(q)),
  {
    name: 'a document that is partly paid',
    occurs: tables =>
      posted(tables).some(
        (row, _, all) =>
          has(row, 'paid_on') &&
          all.some(
            other =>
              !has(other, 'paid_on') &&
              ['kind', 'operation_date', 'counterparty_id', 'document_number'].every(
                column => other[column] === row[column],
              ),
          ),
      ),
  },
  {
    name: 'an archived account with operations, and one without',
    occurs: ({ accounts, operations }) => {
      const used = new Set(operations.map(row => text(row, 'account_id')))
      const archived = accounts.filter(account => has(account, 'archived_at'))
      return (
        archived.some(account => used.has(text(account, 'id'))) &&
        archived.some(account => !used.has(text(account, 'id')))
      )
    },
  },
  some('a transfer in the period', (r, { period }) => {
    return (
      r['kind'] === 'transfer' && r['status'] === 'posted' && within(text(r, 'paid_on'), period)
    )
  }),
]
