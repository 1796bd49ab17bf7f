// How shared expenses are allotted to projects.
import { expect } from 'chai'
import { madeForIt, MAY } from './made-for-it.ts'

describe('over projects made for it', () => {
  const { run } = madeForIt(MAY)

  const posted = {
    status: 'posted',
    operation_date: '2026-05-10',
    amount_kopecks: '500',
    updated_at: '2026-05-10T09:00:00Z',
  }
  const income = { ...posted, kind: 'income' }
  const expense = { ...posted, kind: 'expense' }
  const projects = [1, 2, 3].map(id => ({ id, name: 'Опт', archived_at: null }))

  it('profit_by_project gives all that is shared to «Без проекта» where nothing has an income', async () => {
    const { rows, totals } = await run('profit_by_project', {
      projects,
      operations: [
        { ...expense, id: 1, project_id: null, amount_kopecks: '100' },
        { ...income, id: 2, project_id: 1, amount_kopecks: '-70' },
      ],
    })
    expect(rows.map(row => [row['project'], row['shared_expenses'], row['profit']])).to.deep.equal([
      ['Без проекта', '100', '-100'],
      ['Опт', '0', '-70'],
    ])
    expect(totals['profit']).to.equal('-170')
  })

  it('profit_by_project allots to the last kopeck, beyond what a bigint or a quotient holds', async () => {
    const most = 9_223_372_036_854_775_807n
    const { rows, totals } = await run('profit_by_project', {
      projects,
      operations: [
        { ...expense, id: 1, amount_kopecks: String(most) },
        { ...expense, id: 2, amount_kopecks: String(most) },
        { ...income, id: 3, project_id: 1, amount_kopecks: String(most) },
        { ...income, id: 4, project_id: 2, amount_kopecks: String(most - 1n) },
        { ...income, id: 5, project_id: 3, amount_kopecks: String(most - 2n) },
      ],
    })
    const whole = 3n * most - 3n
    const upTo = (base: bigint) => (4n * most * base + whole) / (2n * whole)
    expect(rows.map(row => row['shared_expenses'])).to.deep.equal([
      String(upTo(most)),
      String(upTo(2n * most - 1n) - upTo(most)),
      String(2n * most - upTo(2n * most - 1n)),
    ])
    expect(totals['shared_expenses']).to.equal(String(2n * most))
  })
})
