// What the sentences of reports by counterparty, project and category count beside the columns.
import { expect } from 'chai'
import { madeForIt, MAY } from './made-for-it.ts'

describe('over counterparties, projects and categories made for it', () => {
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

  for (const [code, kind, fact] of [
    ['receivables', 'income', 'debtors'],
    ['payables', 'expense', 'creditors'],
  ] as const) {
    it(`${code} counts by id those whose total is above 0, and not «Без контрагента»`, async () => {
      const debt = { ...posted, kind }
      const { rows, totals } = await run(code, {
        counterparties: [1, 2, 3, 4].map(id => ({ id, name: 'ООО «Лидер»' })),
        operations: [
          { ...debt, id: 1, counterparty_id: 1 },
          { ...debt, id: 2, counterparty_id: 2 },
          { ...debt, id: 3, counterparty_id: 3, amount_kopecks: '-500' },
          { ...debt, id: 4, counterparty_id: 4 },
          { ...debt, id: 5, counterparty_id: 4, amount_kopecks: '-500', due_on: '2026-07-01' },
          { ...debt, id: 6, counterparty_id: null },
        ],
      })
      expect(rows.map(row => [row['counterparty'], row['total'], row['overdue']])).to.deep.equal([
        ['Без контрагента', '500', '500'],
        ['ООО «Лидер»', '500', '500'],
        ['ООО «Лидер»', '500', '500'],
        ['ООО «Лидер»', '0', '500'],
        ['ООО «Лидер»', '-500', '-500'],
      ])
      expect(totals[fact]).to.equal('2')
    })
  }

  it('profit_by_project names no «Без проекта» as best, and does not count it as losing', async () => {
    const { rows, totals } = await run('profit_by_project', {
      projects,
      operations: [
        { ...income, id: 1, project_id: null, amount_kopecks: '9000' },
        { ...income, id: 2, project_id: 1, amount_kopecks: '1000' },
        { ...expense, id: 3, project_id: 2, amount_kopecks: '10' },
        { ...expense, id: 4, project_id: null, amount_kopecks: '20000' },
      ],
    })
    expect(rows.map(row => [row['project'], row['shared_expenses'], row['profit']])).to.deep.equal([
      ['Без проекта', '18000', '-9000'],
      ['Опт', '2000', '-1000'],
      ['Опт', '0', '-10'],
    ])
    expect([totals['best'], totals['best_profit'], totals['losing']]).to.deep.equal([
      'Опт',
      '-10',
      '2',
    ])
  })

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

  it('income_by_category takes the first in the order of rows for the best of two alike', async () => {
    const { rows, totals } = await run('income_by_category', {
      categories: [
        { id: 1, name: 'Выручка', section: 'income' },
        { id: 2, parent_id: 1, name: 'Опт', section: 'income' },
      ],
      operations: [
        { ...income, id: 1, category_id: 1 },
        { ...income, id: 2, category_id: 2 },
        { ...income, id: 3, category_id: null, amount_kopecks: '-1000' },
      ],
    })
    expect(rows.map(row => [row['parent'], row['category'], row['share']])).to.deep.equal([
      ['Выручка', 'Опт', '50.0'],
      ['Выручка', 'Прочее: Выручка', '50.0'],
      ['Без статьи', 'Без статьи', '-100.0'],
    ])
    expect([totals['best'], totals['best_share'], totals['share']]).to.deep.equal([
      'Опт',
      '50.0',
      '0.0',
    ])
  })
})
