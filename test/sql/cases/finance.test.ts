// Rows that the demo's data do not have.
import { expect } from 'chai'
import { madeForIt, MAY } from './made-for-it.ts'

describe('over operations made for it', () => {
  const { run } = madeForIt(MAY)

  const operation = {
    id: 1,
    kind: 'income',
    status: 'posted',
    operation_date: '2026-05-10',
    amount_kopecks: '500',
    updated_at: '2026-05-10T09:00:00Z',
  }

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
