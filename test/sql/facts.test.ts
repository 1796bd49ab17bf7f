// What our sentences count beside the columns, and rows that the demo's data do not have.
import { expect } from 'chai'
import type { Client } from 'pg'
import type { Catalog } from '../../src/definitions/definition.ts'
import type { GeneratedTables } from './generated-organization.ts'
import { insertOrganization, NO_ROWS } from './generated-organization.ts'
import type { Question } from './oracles/oracle.ts'
import { runMetrics, runReport } from './run.ts'
import { connectAsOwner, ourCatalog } from './subject.ts'

const ID = 'ffffffff-0000-4000-8000-000000000002'
const MAY: Question = {
  period: { start: '2026-05-01', end: '2026-06-01' },
  today: '2026-11-21',
  now: '2026-11-21T09:30:00Z',
  timeZone: 'Europe/Moscow',
}

describe('over an organization made for it', function () {
  this.timeout(30_000)
  let catalog: Catalog
  let client: Client

  before(async () => {
    catalog = ourCatalog()
    client = await connectAsOwner()
  })

  after(() => client.end())

  beforeEach(() => client.query('begin'))
  afterEach(() => client.query('rollback'))

  async function run(code: string, tables: Partial<GeneratedTables>, question = MAY) {
    await insertOrganization(client, ID, question.timeZone, { ...NO_ROWS, ...tables })
    const report = catalog.reports.get(code)
    if (report === undefined) throw new Error(`no report ${code}`)
    return runReport(client, report, ID, question)
  }

  const operation = {
    id: 1,
    kind: 'income',
    status: 'posted',
    operation_date: '2026-05-10',
    amount_kopecks: '500',
    updated_at: '2026-05-10T09:00:00Z',
  }
  const movement = {
    id: 1,
    kind: 'receipt',
    moved_at: '2026-05-10T09:00:00Z',
    product_id: 1,
    warehouse_id: 1,
    quantity: '1',
    cost_kopecks: '100',
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

  it('tasks_by_assignee does not count tasks of nobody as an assignee', async () => {
    const task = { title: 'Задача', created_at: '2026-05-10T09:00:00Z' }
    const done = { ...task, completed_at: '2026-05-11T09:00:00Z' }
    const { rows, totals } = await run('tasks_by_assignee', {
      employees: [1, 2, 3].map(id => ({ id, full_name: 'Иванов Иван' })),
      tasks: [
        { ...done, id: 1, assignee_id: 1 },
        { ...done, id: 2, assignee_id: 2 },
        { ...task, id: 3, assignee_id: 3 },
        { ...done, id: 4, assignee_id: null },
      ],
    })
    expect(rows.length).to.equal(4)
    expect(totals['assignees']).to.equal('2')
  })

  it('stock_balance counts two warehouses of one name, and no services', async () => {
    const product = { name: 'Доска', unit: 'шт' }
    const { rows, totals } = await run('stock_balance', {
      products: [
        { ...product, id: 1, kind: 'goods' },
        { ...product, id: 2, kind: 'service' },
      ],
      warehouses: [1, 2].map(id => ({ id, name: 'Склад' })),
      stock_movements: [
        movement,
        { ...movement, id: 2, warehouse_id: 2 },
        { ...movement, id: 3, product_id: 2 },
      ],
    })
    expect(rows.length).to.equal(2)
    expect(totals['value']).to.equal('200')
    expect(totals['warehouses']).to.equal('2')
    expect(totals['products']).to.equal('1')
    const file = catalog.metricsFiles.get('warehouse')
    if (file === undefined) throw new Error('no metrics of warehouse')
    expect((await runMetrics(client, file, ID, MAY))['stock_value']).to.equal('200')
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

  it('profit_loss has no months for a period that has not begun, but for an advance', async () => {
    const restOfMonth = { ...MAY, period: { start: '2026-11-22', end: '2026-12-01' } }
    expect((await run('profit_loss', { operations: [operation] }, restOfMonth)).rows).to.deep.equal(
      [],
    )
    await client.query(
      `insert into operations (organization_id, id, kind, status, operation_date, amount_kopecks)
       values ($1, 2, 'income', 'posted', '2026-11-25', 900)`,
      [ID],
    )
    const report = catalog.reports.get('profit_loss')
    if (report === undefined) throw new Error('no report profit_loss')
    const { rows } = await runReport(client, report, ID, restOfMonth)
    expect(rows.map(row => [row['month'], row['income']])).to.deep.equal([['2026-11', '900']])
  })
})
