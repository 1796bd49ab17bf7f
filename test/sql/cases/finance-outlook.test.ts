// What the sentences on debts, on what is expected and on what is owned count, over rows made for it.
import { expect } from 'chai'
import type { FieldRow } from '../run.ts'
import { madeForIt, NOVEMBER_21 } from './made-for-it.ts'

const YEAR_END = {
  ...NOVEMBER_21,
  period: { start: '2026-11-01', end: '2027-01-06' },
}

describe('over operations made for it', () => {
  const { run } = madeForIt(YEAR_END)

  const account = { id: 1, name: 'Счёт', kind: 'bank', opening_balance_kopecks: '1000' }
  const income = {
    kind: 'income',
    status: 'posted',
    operation_date: '2026-11-10',
    amount_kopecks: '100',
    account_id: 1,
    updated_at: '2026-11-10T09:00:00Z',
  }
  const expense = { ...income, kind: 'expense' }
  const plan = { ...expense, status: 'planned' }

  function fields(row: FieldRow | undefined, names: string[]) {
    return names.map(name => row?.[name])
  }

  it('payment_calendar goes by the week, and finds the first day without money', async () => {
    const { rows, totals } = await run('payment_calendar', {
      accounts: [account],
      operations: [
        { ...income, id: 1, due_on: '2026-11-20' },
        { ...income, id: 2, due_on: '2026-11-21', amount_kopecks: '-30' },
        { ...plan, id: 3, operation_date: '2026-11-20' },
        { ...plan, id: 4, operation_date: '2026-12-02', amount_kopecks: '1200' },
        { ...plan, id: 5, kind: 'income', operation_date: '2026-12-05', amount_kopecks: '500' },
        { ...plan, id: 6, operation_date: '2026-11-01', due_on: '2027-01-05' },
        { ...plan, id: 7, operation_date: '2027-01-06' },
      ],
    })
    const names = ['week_name', 'week', 'opening', 'receipts', 'payments', 'closing', 'lowest']
    expect(rows.map(row => fields(row, names))).to.deep.equal([
      ['21.11–22.11.2026', '2026-11-21', '1000', '100', '30', '1070', '1070'],
      ['23.11–29.11.2026', '2026-11-23', '1070', '0', '0', '1070', '1070'],
      ['30.11–06.12.2026', '2026-11-30', '1070', '500', '1200', '370', '-130'],
      ['07.12–13.12.2026', '2026-12-07', '370', '0', '0', '370', '370'],
      ['14.12–20.12.2026', '2026-12-14', '370', '0', '0', '370', '370'],
      ['21.12–27.12.2026', '2026-12-21', '370', '0', '0', '370', '370'],
      ['28.12–03.01.2027', '2026-12-28', '370', '0', '0', '370', '370'],
      ['04.01–05.01.2027', '2027-01-04', '370', '0', '100', '270', '270'],
    ])
    const all = ['opening', 'overdue_receipts', 'overdue_payments', 'closing', 'first_gap', 'gap']
    expect(fields(totals, all)).to.deep.equal(['1000', '100', '0', '270', '2026-12-02', '130'])
  })

  it('payment_calendar of a period to come opens with what is expected by then', async () => {
    const period = { start: '2026-12-06', end: '2026-12-07' }
    const { rows, totals } = await run(
      'payment_calendar',
      {
        accounts: [account],
        operations: [
          { ...income, id: 1 },
          { ...plan, id: 2, operation_date: '2026-12-05', amount_kopecks: '1200' },
          { ...plan, id: 3, operation_date: '2026-12-07' },
        ],
      },
      { ...YEAR_END, period },
    )
    expect(rows).to.deep.equal([])
    const names = ['opening', 'closing', 'lowest', 'days_ahead', 'first_gap', 'gap']
    expect(fields(totals, names)).to.deep.equal(['-100', '-100', '-100', '15', '2026-12-06', '100'])
  })

  it('payment_calendar of a period that is over knows only its own last day', async () => {
    const period = { start: '2026-11-01', end: '2026-11-16' }
    const { rows } = await run(
      'payment_calendar',
      {
        accounts: [account],
        operations: [
          { ...income, id: 1, due_on: '2026-11-15', paid_on: '2026-11-16' },
          { ...income, id: 2, due_on: '2026-11-16' },
          { ...plan, id: 3, operation_date: '2026-11-15' },
        ],
      },
      { ...YEAR_END, period },
    )
    const names = ['week_name', 'receipts', 'overdue_receipts', 'payments', 'closing']
    expect(rows.map(row => fields(row, names))).to.deep.equal([
      ['15.11–15.11.2026', '100', '0', '0', '1100'],
    ])
  })

  it('balance_sheet puts each item on its side, whatever its sign', async () => {
    const product = { name: 'Доска', unit: 'шт' }
    const receipt = {
      kind: 'receipt',
      moved_at: '2026-10-31T20:59:59Z',
      warehouse_id: 1,
      quantity: '1',
    }
    const { rows, totals } = await run('balance_sheet', {
      accounts: [account],
      categories: [{ id: 1, name: 'Кредит', section: 'financing' }],
      operations: [
        { ...income, id: 1, operation_date: '2026-10-31', paid_on: '2026-11-21' },
        { ...income, id: 2, operation_date: '2026-11-22', paid_on: '2026-11-21' },
        { ...expense, id: 3, operation_date: '2026-11-22', paid_on: '2026-10-31' },
        { ...expense, id: 4, amount_kopecks: '-7' },
        { ...income, id: 5, category_id: 1, paid_on: '2026-11-10', amount_kopecks: '40' },
      ],
      products: [
        { ...product, id: 1, kind: 'goods' },
        { ...product, id: 2, kind: 'service' },
      ],
      warehouses: [{ id: 1, name: 'Склад' }],
      stock_movements: [
        { ...receipt, id: 1, product_id: 1, cost_kopecks: '5' },
        { ...receipt, id: 2, product_id: 1, cost_kopecks: '6', moved_at: '2026-10-31T21:00:00Z' },
        { ...receipt, id: 3, product_id: 2, cost_kopecks: '9' },
      ],
    })
    const names = ['item', 'side', 'opening', 'change', 'closing']
    expect(rows.map(row => fields(row, names))).to.deep.equal([
      ['Деньги на счетах', 'Активы', '900', '240', '1140'],
      ['Задолженность покупателей', 'Активы', '100', '-100', '0'],
      ['Авансы выданные', 'Активы', '100', '0', '100'],
      ['Товары на складах', 'Активы', '5', '6', '11'],
      ['Задолженность поставщикам', 'Обязательства', '0', '7', '7'],
      ['Авансы полученные', 'Обязательства', '0', '-100', '-100'],
      ['Кредиты, займы и деньги собственника', 'Обязательства', '0', '-40', '-40'],
    ])
    expect(fields(totals, ['assets', 'liabilities', 'closing'])).to.deep.equal([
      '1251',
      '133',
      '1118',
    ])
  })

  it('debts counts documents on either side', async () => {
    const { rows, totals } = await run('debts', {
      accounts: [account],
      operations: [
        { ...income, id: 1, due_on: '2026-11-21' },
        { ...income, id: 2, amount_kopecks: '-30' },
        { ...expense, id: 3, due_on: '2026-11-20', document_number: 'А-1' },
        { ...income, id: 4, paid_on: '2026-11-21' },
        { ...income, id: 5, operation_date: '2026-11-22' },
        { ...plan, id: 6 },
      ],
    })
    const names = ['operation_id', 'counterparty', 'document', 'due_on', 'overdue_days']
    expect(rows.map(row => fields(row, names))).to.deep.equal([
      ['2', null, null, '2026-11-10', '11'],
      ['3', null, 'А-1', '2026-11-20', '1'],
      ['1', null, null, '2026-11-21', '0'],
    ])
    const sums = ['receivable', 'overdue_receivable', 'payable', 'overdue_payable']
    expect(fields(totals, sums)).to.deep.equal(['70', '-30', '100', '100'])
    expect(fields(totals, ['receivables', 'payables'])).to.deep.equal(['2', '1'])
  })
})
