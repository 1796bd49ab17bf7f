// What an owner types, and the report that must be among the first found.
import { RU_FORMATS } from '../../src/texts/ru/formats.ts'
import { expect } from 'chai'
import { createSearch, textOf } from '../../src/page/search.ts'
import { ourCatalog } from '../sql/subject.ts'

const WANTED = {
  'кто мне должен': 'receivables',
  'кому мы должны': 'payables',
  просрочка: 'receivables',
  'просроченные долги': 'debts',
  НДС: 'operations',
  'минимальный остаток': 'stock_below_minimum',
  'что заказать у поставщиков': 'stock_below_minimum',
  'сколько мы заработали': 'profit_loss',
  'расходов по статьям': 'expenses_by_category',
  'деньги на счетах': 'cash_flow',
  'расходы за месяц': 'expenses_by_category',
  'кассовые разрывы': 'payment_calendar',
  'последние платежи': 'payments',
  'топ клиентов': 'customers_abc',
  'выставленные счета': 'debts',
  задержки: 'receivables',
  зарплаты: 'expenses_by_category',
  прибылью: 'profit_loss',
  'лучшие клиенты': 'customers_abc',
  receivables: 'receivables',
  profit: 'profit_loss',
  'P&L': 'profit_loss',
  payments: 'payments',
  'latest payments': 'payments',
  'late payments': 'receivables',
  'top customers': 'customers_abc',
  invoices: 'debts',
  costs: 'expenses_by_category',
  'cash gap': 'payment_calendar',
  'bank accounts': 'cash_flow',
  inventory: 'stock_balance',
  'goods to order': 'stock_below_minimum',
  reorder: 'stock_below_minimum',
  suppliers: 'payables',
  payroll: 'expenses_by_category',
}

describe('the search of the catalogue', () => {
  const reports = [...ourCatalog().reports.values()].toSorted((a, b) => a.position - b.position)
  const search = createSearch(reports, textOf, RU_FORMATS.search)

  for (const [query, code] of Object.entries(WANTED))
    it(`finds ${code} by «${query}»`, () => {
      const codes = search(query).map(report => report.code)
      expect(codes.slice(0, 3)).to.include(code)
    })

  it('finds a report with the very word before those with its stem', () => {
    expect(search('заказать')[0]?.code).to.equal('stock_below_minimum')
  })

  it('finds nothing by what no report has', () => {
    expect(search('погода')).to.deep.equal([])
  })
})
