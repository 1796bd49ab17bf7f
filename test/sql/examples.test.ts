// Examples of the catalogue, calculated by hand: a definition and its oracle may misread it in the same way.
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Client } from 'pg'
import type { Period, RawField } from '../../src/model/terms.ts'
import { insertOrganization } from './generated/insert.ts'
import { NO_ROWS, type Generated, type GeneratedTables } from './generated/tables.ts'
import { runReport, type FieldRow } from './run.ts'
import { connectAsOwner, ourCatalog } from './subject.ts'

const ID = 'ffffffff-0000-4000-8000-000000000002'
const NOW = { today: '2026-11-21', now: '2026-11-21T09:30:00Z', timeZone: 'Europe/Moscow' }
const NOVEMBER = { start: '2026-11-01', end: '2026-12-01' }
const MAY = { start: '2026-05-01', end: '2026-06-01' }
const HALF_YEAR = { start: '2026-01-01', end: '2026-07-01' }
const MOST = 9_223_372_036_854_775_807n

interface Example {
  /** Begins with the report's code. */
  readonly fact: string
  readonly period: Period
  readonly given: Partial<GeneratedTables>
  /** In these columns. */
  readonly columns?: readonly string[]
  readonly rows: readonly (readonly RawField[])[]
  readonly totals?: Readonly<Record<string, RawField>>
  /** A part of it. */
  readonly summary?: string
}

function numbered(...rows: readonly Generated[]): Generated[] {
  return rows.map((row, at) => ({ id: at + 1, ...row }))
}

const accounts = numbered({ name: 'Счёт', kind: 'bank', opening_balance_kopecks: '1000' })
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

const overdue = [
  { ...income, due_on: '2026-11-20', amount_kopecks: '70' },
  { ...income, due_on: '2026-11-20', amount_kopecks: '-1030' },
  { ...expense, amount_kopecks: '200' },
  { ...expense, amount_kopecks: '-5' },
]

const ofMoney: Example[] = [
  {
    fact: 'payment_calendar goes by the week, and finds the first day without money',
    period: { start: '2026-11-01', end: '2027-01-05' },
    given: {
      operations: numbered(
        { ...income, due_on: '2026-11-21' },
        { ...income, due_on: '2026-11-22', amount_kopecks: '-30' },
        { ...plan, operation_date: '2026-11-20' },
        { ...plan, operation_date: '2026-12-02', amount_kopecks: '1200' },
        { ...plan, kind: 'income', operation_date: '2026-12-05', amount_kopecks: '500' },
        { ...plan, operation_date: '2026-11-01', due_on: '2026-12-21' },
        { ...plan, operation_date: '2027-01-05' },
        { ...income, operation_date: '2026-11-22', due_on: '2026-11-25' },
      ),
    },
    columns: ['week_name', 'opening', 'receipts', 'payments', 'closing', 'lowest'],
    rows: [
      ['21.11–22.11.2026', '1000', '100', '30', '1070', '1070'],
      ['23.11–29.11.2026', '1070', '0', '0', '1070', '1070'],
      ['30.11–06.12.2026', '1070', '500', '1200', '370', '-130'],
      ['07.12–13.12.2026', '370', '0', '0', '370', '370'],
      ['14.12–20.12.2026', '370', '0', '0', '370', '370'],
      ['21.12–27.12.2026', '370', '0', '100', '270', '270'],
    ],
    totals: { opening: '1000', closing: '270', first_gap: '2026-12-02', gap: '130' },
  },
  {
    fact: 'payment_calendar pays today what is overdue, and does not count on customers who are late',
    period: { start: '2026-11-01', end: '2026-11-22' },
    given: { operations: numbered(...overdue) },
    columns: ['week_name', 'receipts', 'payments', 'overdue_payments', 'closing', 'lowest'],
    rows: [['21.11.2026', '0', '1230', '1230', '-230', '-230']],
    totals: { overdue_receipts: '75', first_gap: '2026-11-21' },
  },
  {
    fact: 'payment_calendar opens a period to come with what is expected by then',
    period: { start: '2026-12-06', end: '2026-12-07' },
    given: {
      operations: numbered(
        ...overdue,
        { ...plan, kind: 'income', operation_date: '2026-12-05', amount_kopecks: '130' },
        { ...plan, operation_date: '2026-12-07' },
      ),
    },
    rows: [],
    totals: { opening: '-100', days_ahead: '15', first_gap: '2026-12-06', overdue_receipts: '0' },
  },
  {
    fact: 'balance_sheet puts each item on its side, whatever its sign',
    period: NOVEMBER,
    given: {
      categories: numbered(
        { name: 'Кредит', section: 'financing' },
        { name: 'Вклад собственника', section: 'financing' },
        { name: 'Станок', section: 'investing' },
        { name: 'Товар', section: 'goods_purchase' },
      ),
      operations: numbered(
        { ...income, operation_date: '2026-10-31', paid_on: '2026-11-21' },
        { ...income, operation_date: '2026-11-22', paid_on: '2026-11-21' },
        { ...expense, operation_date: '2026-11-22', paid_on: '2026-10-31' },
        { ...expense, amount_kopecks: '-7' },
        { ...income, category_id: 1, paid_on: '2026-11-10', amount_kopecks: '40' },
        { ...expense, category_id: 2, paid_on: '2026-11-10', amount_kopecks: '2' },
        { ...expense, category_id: 3, paid_on: '2026-11-10', amount_kopecks: '50' },
        { ...income, category_id: 3, paid_on: '2026-11-11', amount_kopecks: '20' },
        { ...expense, category_id: 4, operation_date: '2026-10-31', amount_kopecks: '13' },
      ),
      products: numbered(
        { name: 'Доска', unit: 'шт', kind: 'goods' },
        { name: 'Доставка', unit: 'шт', kind: 'service' },
      ),
      warehouses: numbered({ name: 'Склад' }),
      stock_movements: numbered(
        receipt(1, '2026-10-31T20:59:59Z', '1', '5'),
        receipt(1, '2026-10-31T21:00:00Z', '1', '6'),
        receipt(2, '2026-10-31T20:59:59Z', '1', '9'),
        { ...receipt(1, '2026-11-20T09:00:00Z', '-1', '-4'), kind: 'write_off' },
      ),
    },
    columns: ['item', 'side', 'opening', 'change', 'closing'],
    rows: [
      ['Деньги на счетах', 'Активы', '900', '208', '1108'],
      ['Задолженность покупателей', 'Активы', '100', '-100', '0'],
      ['Авансы выданные', 'Активы', '100', '0', '100'],
      ['Товары на складах', 'Активы', '5', '2', '7'],
      ['Закупки в пути', 'Активы', '-1', '-6', '-7'],
      ['Станок', 'Активы', '0', '30', '30'],
      ['Задолженность поставщикам', 'Обязательства', '-13', '7', '-6'],
      ['Авансы полученные', 'Обязательства', '0', '-100', '-100'],
      ['Вклад собственника', 'Финансирование', '0', '2', '2'],
      ['Кредит', 'Финансирование', '0', '-40', '-40'],
    ],
    totals: { assets: '1238', liabilities: '106', financing: '38', closing: '1094' },
  },
  {
    fact: 'receivables tells ages by whole days, and counts on S no more than on what is paid after N',
    period: NOVEMBER,
    given: {
      operations: numbered(
        { ...income, operation_date: '2026-10-22', amount_kopecks: '1' },
        { ...income, operation_date: '2026-10-21', amount_kopecks: '20' },
        { ...income, operation_date: '2026-09-21', due_on: '2026-11-21', amount_kopecks: '300' },
        { ...income, operation_date: '2026-08-23', due_on: '2026-11-20', amount_kopecks: '4000' },
        { ...income, operation_date: '2026-08-22', due_on: '2026-12-31', amount_kopecks: '50000' },
        { ...income, operation_date: '2026-11-22', amount_kopecks: '600000' },
      ),
    },
    columns: ['days_0_30', 'days_31_60', 'days_61_90', 'days_over_90', 'overdue', 'oldest'],
    rows: [['1', '20', '4300', '50000', '4021', '2026-08-22']],
    totals: { total: '54321', debtors: '0' },
  },
  {
    fact: 'profit_loss leaves out operations whose section is not of their kind',
    period: NOVEMBER,
    given: {
      categories: numbered(
        { name: 'Выручка', section: 'income' },
        { name: 'Аренда', section: 'operating' },
      ),
      operations: numbered(
        { ...income, category_id: 1 },
        { ...income, category_id: 2 },
        { ...expense, category_id: 1 },
        { ...expense, category_id: 2, amount_kopecks: '30' },
      ),
    },
    columns: ['month_name', 'income', 'operating_expenses', 'profit', 'margin'],
    rows: [['Ноябрь 2026', '100', '30', '70', '70.0']],
  },
  {
    fact: 'income_by_category tells shares of the sum after refunds, in the table and in the summary',
    period: NOVEMBER,
    given: {
      categories: numbered(
        ...['Опт', 'Розница', 'Сайт'].map(name => ({ name, section: 'income' })),
      ),
      operations: numbered(
        { ...income, category_id: 1, amount_kopecks: '907' },
        { ...income, category_id: 2, amount_kopecks: '140' },
        { ...income, category_id: 3, amount_kopecks: '-47' },
      ),
    },
    columns: ['category', 'share'],
    rows: [
      ['Опт', '90.7'],
      ['Розница', '14.0'],
      ['Сайт', '-4.7'],
    ],
    totals: { share: '100.0' },
    summary: 'больше всего — «Опт»: 9,07 ₽ (90,7 %).',
  },
  {
    fact: 'expenses_by_category tells no share of a sum that is not positive',
    period: NOVEMBER,
    given: {
      categories: numbered({ name: 'Аренда', section: 'operating' }),
      operations: numbered({ ...expense, category_id: 1 }, { ...expense, amount_kopecks: '-300' }),
    },
    columns: ['category', 'share'],
    rows: [
      ['Аренда', null],
      ['Без статьи', null],
    ],
    totals: { share: null },
    summary: 'больше всего — «Аренда»: 1,00 ₽.',
  },
  {
    fact: 'profit_by_project allots to the last kopeck, beyond what a bigint holds',
    period: NOVEMBER,
    given: {
      projects: numbered({ name: 'Опт' }, { name: 'Розница' }),
      operations: numbered(
        { ...expense, amount_kopecks: String(MOST) },
        { ...expense, amount_kopecks: String(MOST) },
        { ...income, project_id: 1, amount_kopecks: String(MOST) },
        { ...income, project_id: 2, amount_kopecks: String(MOST - 1n) },
      ),
    },
    columns: ['project', 'shared_expenses'],
    // Of 2 MOST, the first has MOST / (2 MOST - 1): half a kopeck more than MOST, rounded up.
    rows: [
      ['Опт', String(MOST + 1n)],
      ['Розница', String(MOST - 1n)],
    ],
    totals: { shared_expenses: String(2n * MOST) },
  },
]

const task = { title: 'Задача', created_at: '2026-04-10T09:00:00Z' }
const stages = [
  { id: 1, name: 'Заявка', position: 1, kind: 'open' },
  { id: 2, name: 'Договор', position: 2, kind: 'open' },
  { id: 4, name: 'Отказ', position: 4, kind: 'lost' },
  { id: 5, name: 'Спам', position: 5, kind: 'lost' },
]
const lost = {
  title: 'Сделка',
  amount_kopecks: '100',
  stage_id: 4,
  created_at: '2026-05-10T09:00:00Z',
  lost_at: '2026-05-12T09:00:00Z',
  updated_at: '2026-05-10T09:00:00Z',
}
const visit = { stage_id: 1, entered_at: lost.created_at, left_at: '2026-05-11T09:00:00Z' }
/** Too long for an ordinary index entry: the recommended indexes exist and must accept it. */
const longReason = Array.from({ length: 400 }, (_, at) =>
  createHash('md5').update(`${at}`).digest('hex'),
).join('')

const ofWork: Example[] = [
  {
    fact: 'tasks_by_month begins with the first task, and takes a task as overdue from the next day',
    period: { start: '2026-03-10', end: '2026-06-05' },
    given: {
      tasks: numbered(
        { ...task, due_on: '2026-04-30' },
        { ...task, due_on: '2026-04-29', completed_at: '2026-05-31T20:59:59Z' },
        { ...task, due_on: '2026-04-29', completed_at: '2026-05-31T21:00:00Z' },
        { ...task, due_on: null },
        { ...task, due_on: '2026-01-01', created_at: '2026-06-04T20:59:59Z' },
        { ...task, due_on: '2026-06-04' },
      ),
    },
    columns: ['month', 'at_start', 'created', 'open', 'overdue'],
    rows: [
      ['2026-04', '0', '5', '5', '2'],
      ['2026-05', '5', '0', '4', '2'],
      ['2026-06', '4', '1', '4', '2'],
    ],
    totals: { at_start: '0', created: '6', open: '4', overdue: '2' },
  },
  {
    fact: 'deals_lost places a deal by its last way to a lost stage, in the order of reasons',
    period: MAY,
    given: {
      deal_stages: stages,
      deals: numbered(
        { ...lost, lost_reason: 'Дорого' },
        { ...lost, lost_reason: '  ', amount_kopecks: '50' },
        { ...lost, lost_reason: null, amount_kopecks: '50' },
        { ...lost, lost_reason: 'Дорого', amount_kopecks: '60' },
        { ...lost, lost_reason: ' Дорого', amount_kopecks: '150' },
      ),
      deal_stage_visits: numbered(
        { ...visit, deal_id: 1, to_stage_id: 4 },
        { ...visit, deal_id: 1, stage_id: 2, to_stage_id: 5 },
        { ...visit, deal_id: 1, to_stage_id: 2, left_at: '2026-05-12T09:00:00Z' },
        { ...visit, deal_id: 2, stage_id: 2, to_stage_id: 4 },
      ),
    },
    columns: ['reason', 'stage', 'amount', 'share'],
    rows: [
      ['Дорого', 'Договор', '100', '24.4'],
      ['Дорого', 'Не указан', '60', '14.6'],
      [' Дорого', 'Не указан', '150', '36.6'],
      ['Не указана', 'Договор', '50', '12.2'],
      ['Не указана', 'Не указан', '50', '12.2'],
    ],
    totals: { median_days: '2.0', main_reason: null },
  },
  {
    fact: 'deals_lost has a reason that is too long for an index entry, and the recommended indexes accept it',
    period: MAY,
    given: {
      deal_stages: stages,
      deals: numbered(...['!', '?', '!'].map(end => ({ ...lost, lost_reason: longReason + end })), {
        ...lost,
        lost_reason: 'Дорого',
      }),
    },
    columns: ['reason', 'deals'],
    rows: [
      [`${longReason}!`, '2'],
      [`${longReason}?`, '1'],
      ['Дорого', '1'],
    ],
  },
]

function receipt(product_id: number, moved_at: string, quantity = '10', cost_kopecks = '1000') {
  return { kind: 'receipt', moved_at, product_id, warehouse_id: 1, quantity, cost_kopecks }
}

function planks(count: number): Generated[] {
  const names = Array.from({ length: count }, (_, at) => `Доска ${at + 1}`)
  return numbered(...names.map(name => ({ name, unit: 'шт', kind: 'goods' })))
}

interface Shipment {
  readonly product: number
  readonly day: string
  readonly quantity?: string
  readonly amount: string
  readonly kind?: 'sale' | 'return'
}

/** Documents with one line, shipped on the same day. */
function shipped(shipments: readonly Shipment[]) {
  return {
    warehouses: numbered({ name: 'Склад' }),
    sales: numbered(
      ...shipments.map(({ day, kind = 'sale' }) => ({
        kind,
        status: 'posted',
        shipped_at: `${day}T09:00:00Z`,
      })),
    ),
    sale_lines: numbered(
      ...shipments.map(({ product, quantity = '1', amount }, at) => ({
        sale_id: at + 1,
        product_id: product,
        quantity,
        amount_kopecks: amount,
      })),
    ),
    stock_movements: shipments.map(({ product, day, quantity = '1', kind = 'sale' }, at) => ({
      ...receipt(product, `${day}T09:00:00Z`, `-${quantity}`, '-100'),
      ...(kind === 'sale' ? {} : { quantity, cost_kopecks: '100' }),
      id: 1000 + at,
      kind: kind === 'sale' ? 'sale' : 'customer_return',
      sale_line_id: at + 1,
    })),
  }
}

const monthly = (product: number, quantities: readonly string[]): Shipment[] =>
  quantities.map((quantity, at) => {
    return { product, day: `2026-0${at + 1}-15`, quantity, amount: '100' }
  })

const turnover = shipped([
  { product: 1, day: '2026-04-01', amount: '500' },
  { product: 2, day: '2026-04-02', amount: '500' },
  { product: 3, day: '2026-06-30', quantity: '10', amount: '500' },
])

const returned = shipped([
  { product: 1, day: '2026-01-31', amount: '907' },
  { product: 1, day: '2026-02-28', amount: '140' },
  { product: 1, day: '2026-03-31', amount: '47', kind: 'return' },
])

const short = { unit: 'шт', kind: 'goods', minimum_quantity: '10' }

const ofGoods: Example[] = [
  {
    fact: 'stock_turnover tells states apart by the last sale and the days of stock',
    period: HALF_YEAR,
    given: {
      products: planks(4),
      ...turnover,
      stock_movements: [
        ...numbered(...planks(4).map((_, at) => receipt(at + 1, '2026-01-01T09:00:00Z'))),
        ...turnover.stock_movements,
      ],
    },
    columns: ['product', 'state', 'idle_days'],
    rows: [
      ['Доска 4', 'Неликвид', null],
      ['Доска 1', 'Неликвид', '90'],
      ['Доска 2', 'Медленный', '89'],
      ['Доска 3', 'Нет остатка', '0'],
    ],
    totals: { dead: '2', dead_value: '1900' },
  },
  {
    fact: 'customers_abc passes 100 percent before returns, and says the share that the table has',
    period: HALF_YEAR,
    given: {
      ...returned,
      products: planks(1),
      counterparties: numbered({ name: 'Опт' }, { name: 'Розница' }, { name: 'Сайт' }),
      sales: returned.sales.map((sale, at) => ({ ...sale, counterparty_id: at + 1 })),
    },
    columns: ['share', 'cumulative_share', 'class'],
    rows: [
      ['90.7', '90.7', 'A'],
      ['14.0', '104.7', 'B'],
      ['-4.7', '100.0', 'C'],
    ],
    totals: { share: '100.0' },
    summary: 'на класс A приходится 90,7 % выручки.',
  },
  {
    fact: 'product_sales sorts products into classes by what came before them',
    period: HALF_YEAR,
    given: {
      products: planks(5),
      ...shipped([
        { product: 1, day: '2026-01-31', amount: '8000' },
        { product: 2, day: '2026-02-28', amount: '1500' },
        { product: 3, day: '2026-03-31', amount: '1200' },
        { product: 4, day: '2026-04-30', amount: '0' },
        { product: 5, day: '2026-05-31', amount: '700', kind: 'return' },
      ]),
    },
    columns: ['abc', 'share'],
    rows: [
      ['A', '80.0'],
      ['B', '15.0'],
      ['C', '12.0'],
      ['C', '0.0'],
      ['C', '-7.0'],
    ],
    totals: { share: '100.0', products: '3', a_class: '1' },
  },
  {
    fact: 'product_sales tells steady sales from others by whole months',
    period: HALF_YEAR,
    given: {
      products: planks(3),
      ...shipped([
        ...monthly(1, ['9', '11', '9', '11', '9', '11']),
        ...monthly(2, ['3', '5', '3', '5', '3', '5']),
        ...monthly(3, ['2', '4', '2', '4', '2', '4']),
      ]),
    },
    columns: ['product', 'xyz'],
    rows: [
      ['Доска 1', 'X'],
      ['Доска 2', 'Y'],
      ['Доска 3', 'Z'],
    ],
  },
  {
    fact: 'stock_below_minimum buys at the last price, at the list price, or at none',
    period: HALF_YEAR,
    given: {
      warehouses: numbered({ name: 'Склад' }),
      products: numbered(
        { ...short, name: 'Получали', purchase_price_kopecks: 999 },
        { ...short, name: 'По прайсу', purchase_price_kopecks: 7 },
        { ...short, name: 'Без цены' },
        { ...short, name: 'В архиве', archived_at: '2026-01-01T09:00:00Z' },
        { ...short, name: 'Услуга', kind: 'service' },
        { ...short, name: 'Хватает', minimum_quantity: '0' },
      ),
      stock_movements: numbered(
        receipt(1, '2026-01-01T09:00:00Z', '1', '77'),
        receipt(1, '2026-01-01T09:00:00Z', '3', '100'),
      ),
    },
    columns: ['product', 'shortage', 'price', 'amount'],
    rows: [
      ['Получали', '6.000', '33', '200'],
      ['По прайсу', '10.000', '7', '70'],
      ['Без цены', '10.000', null, null],
    ],
    totals: { amount: '270', without_price: '1' },
  },
]

describe('the catalogue, by examples', () => {
  const { reports } = ourCatalog()
  let client: Client

  before(async () => {
    client = await connectAsOwner()
  })

  after(() => client?.end())
  beforeEach(() => client.query('begin'))
  afterEach(() => client.query('rollback'))

  const values = (row: FieldRow, names: readonly string[]) => names.map(name => row[name])

  for (const example of [...ofMoney, ...ofWork, ...ofGoods]) {
    const { fact, period, given, columns = [], rows, totals = {}, summary = '' } = example
    it(fact, async () => {
      const report = reports.get(fact.split(' ')[0] ?? '')
      if (report === undefined) throw new Error(`no report in ${fact}`)
      await insertOrganization(client, ID, NOW.timeZone, { ...NO_ROWS, accounts, ...given })
      const answer = await runReport(client, report, ID, { ...NOW, period })
      expect(answer.rows.map(row => values(row, columns))).to.deep.equal(rows)
      const names = Object.keys(totals)
      expect(values(answer.totals, names), names.join()).to.deep.equal(Object.values(totals))
      const fields = new Map(Object.entries(answer.totals))
      const currencyOf = () => report.currency
      const of = { fields, rowCount: rows.length, currencyOf, period, today: NOW.today }
      expect(report.summarize(of).replaceAll('\u00a0', ' ')).to.include(summary)
    })
  }
})
