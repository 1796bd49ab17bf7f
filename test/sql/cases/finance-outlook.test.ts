// What the sentences on debts and on what is owned count, over rows made for it.
import { expect } from 'chai'
import { madeForIt, NOVEMBER_21 } from './made-for-it.ts'
import { account, expense, fields, income, plan } from './money.ts'

const NOVEMBER = {
  ...NOVEMBER_21,
  period: { start: '2026-11-01', end: '2026-12-01' },
}

describe('over operations made for it', () => {
  const { run } = madeForIt(NOVEMBER)

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
      categories: [
        { id: 1, name: 'Кредит', section: 'financing' },
        { id: 2, name: 'Вклад собственника', section: 'financing' },
        { id: 3, name: 'Кредит', section: 'financing' },
        { id: 4, name: 'Станок', section: 'investing' },
        { id: 5, name: 'Товар', section: 'goods_purchase' },
        { id: 6, name: 'Тара', section: 'goods_purchase' },
      ],
      operations: [
        { ...income, id: 1, operation_date: '2026-10-31', paid_on: '2026-11-21' },
        { ...income, id: 2, operation_date: '2026-11-22', paid_on: '2026-11-21' },
        { ...expense, id: 3, operation_date: '2026-11-22', paid_on: '2026-10-31' },
        { ...expense, id: 4, amount_kopecks: '-7' },
        { ...income, id: 5, category_id: 1, paid_on: '2026-11-10', amount_kopecks: '40' },
        { ...expense, id: 6, category_id: 2, paid_on: '2026-11-10', amount_kopecks: '2' },
        { ...income, id: 7, category_id: 3, paid_on: '2026-11-10', amount_kopecks: '1' },
        { ...expense, id: 8, category_id: 4, paid_on: '2026-11-10', amount_kopecks: '50' },
        { ...income, id: 9, category_id: 4, paid_on: '2026-11-11', amount_kopecks: '20' },
        { ...expense, id: 10, category_id: 5, operation_date: '2026-10-31', amount_kopecks: '13' },
        { ...expense, id: 11, category_id: 6, amount_kopecks: '-3' },
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
        {
          ...receipt,
          id: 4,
          product_id: 1,
          kind: 'write_off',
          moved_at: '2026-11-20T09:00:00Z',
          quantity: '-1',
          cost_kopecks: '-4',
        },
      ],
    })
    const names = ['item', 'side', 'opening', 'change', 'closing']
    expect(rows.map(row => fields(row, names))).to.deep.equal([
      ['Деньги на счетах', 'Активы', '900', '209', '1109'],
      ['Задолженность покупателей', 'Активы', '100', '-100', '0'],
      ['Авансы выданные', 'Активы', '100', '0', '100'],
      ['Товары на складах', 'Активы', '5', '2', '7'],
      ['Закупки в пути', 'Активы', '-1', '-9', '-10'],
      ['Станок', 'Активы', '0', '30', '30'],
      ['Задолженность поставщикам', 'Обязательства', '-13', '10', '-3'],
      ['Авансы полученные', 'Обязательства', '0', '-100', '-100'],
      ['Вклад собственника', 'Финансирование', '0', '2', '2'],
      ['Кредит', 'Финансирование', '0', '-40', '-40'],
      ['Кредит', 'Финансирование', '0', '-1', '-1'],
    ])
    const sums = ['assets', 'liabilities', 'financing', 'opening', 'change', 'closing']
    expect(fields(totals, sums)).to.deep.equal(['1236', '103', '39', '1091', '3', '1094'])
  })

  it('balance_sheet leaves out what is 0 on both days, and does not ask what was in between', async () => {
    const sum = { amount_kopecks: '9', category_id: 1, account_id: 1 }
    const { rows } = await run('balance_sheet', {
      accounts: [{ ...account, opening_balance_kopecks: '0' }],
      categories: [{ id: 1, name: 'Кредит', section: 'financing' }],
      operations: [
        { ...income, ...sum, id: 1, paid_on: '2026-11-10' },
        { ...expense, ...sum, id: 2, paid_on: '2026-11-11' },
      ],
    })
    expect(rows).to.deep.equal([])
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
