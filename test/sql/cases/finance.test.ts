// What our sentences count beside the columns, and rows that the demo's data do not have.
import { expect } from 'chai'
import { madeForIt, MAY } from './made-for-it.ts'

describe('over operations and accounts made for it', () => {
  const { run } = madeForIt(MAY)

  const operation = {
    id: 1,
    kind: 'income',
    status: 'posted',
    operation_date: '2026-05-10',
    amount_kopecks: '500',
    updated_at: '2026-05-10T09:00:00Z',
  }

  it('cash_flow shows an account that was emptied and archived, and does not count it', async () => {
    const account = { kind: 'bank', opening_balance_kopecks: '0', archived_at: null }
    const archived = { ...account, archived_at: '2026-06-10T09:00:00Z' }
    const { rows, totals } = await run('cash_flow', {
      accounts: [
        { ...account, id: 1, name: 'В работе, пуст' },
        { ...archived, id: 2, name: 'В архиве, пуст' },
        { ...archived, id: 3, name: 'В архиве, с остатком', opening_balance_kopecks: '700' },
      ],
      operations: [
        { ...operation, account_id: 2, paid_on: '2026-05-10' },
        { ...operation, id: 2, kind: 'expense', account_id: 2, paid_on: '2026-05-11' },
      ],
    })
    expect(rows.length).to.equal(3)
    expect(totals['accounts']).to.equal('2')
  })

  it('profit_loss leaves out operations whose section is not of their kind', async () => {
    const { totals } = await run('profit_loss', {
      categories: [
        { id: 1, name: 'Выручка', section: 'income' },
        { id: 2, name: 'Аренда', section: 'operating' },
      ],
      operations: [
        { ...operation, category_id: 1 },
        { ...operation, id: 2, category_id: 2 },
        { ...operation, id: 3, kind: 'expense', category_id: 1 },
        { ...operation, id: 4, kind: 'expense', category_id: 2, amount_kopecks: '30' },
      ],
    })
    expect(totals['income']).to.equal('500')
    expect(totals['expenses']).to.equal('30')
  })

  const restOfMonth = { ...MAY, period: { start: '2026-11-22', end: '2026-12-01' } }

  it('profit_loss has no months for a period that has not begun', async () => {
    const { rows } = await run('profit_loss', { operations: [operation] }, restOfMonth)
    expect(rows).to.deep.equal([])
  })

  it('profit_loss has the month of an advance in a period that has not begun', async () => {
    const advance = { ...operation, id: 2, operation_date: '2026-11-25', amount_kopecks: '900' }
    const { rows } = await run('profit_loss', { operations: [operation, advance] }, restOfMonth)
    expect(rows.map(row => [row['month'], row['income']])).to.deep.equal([['2026-11', '900']])
  })
})
