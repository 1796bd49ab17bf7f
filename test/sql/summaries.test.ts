// The sentences that our reports say, read as a person would read them.
import { expect } from 'chai'
import type { Catalog } from '../../src/definitions/definition.ts'
import type { Period, RawField } from '../../src/terms.ts'
import { ourCatalog } from './subject.ts'

const YEAR: Period = { start: '2026-01-01', end: '2027-01-01' }
const MARCH: Period = { start: '2026-03-01', end: '2026-04-01' }
const QUARTER: Period = { start: '2026-01-01', end: '2026-04-01' }
const MAY: Period = { start: '2026-05-01', end: '2026-06-01' }

describe('the sentence of', () => {
  let catalog: Catalog

  before(() => {
    catalog = ourCatalog()
  })

  /** With plain blanks: which of them may not break is the business of `definitions/`. */
  function said(
    code: string,
    period: Period,
    rowCount: number,
    fields: Readonly<Record<string, RawField>> = {},
  ): string | undefined {
    return catalog.reports
      .get(code)
      ?.summarize({
        fields: new Map(Object.entries(fields)),
        rowCount,
        period,
        today: '2026-11-21',
      })
      .replaceAll(/[\u00a0\u202f]/g, ' ')
  }

  it('profit_loss tells a profit with its profitability', () => {
    const fields = {
      income: '4821530000',
      expenses: '4106791245',
      profit: '714738755',
      margin: '14.8',
    }
    expect(said('profit_loss', YEAR, 11, fields)).to.equal(
      'За 2026 год доходы составили 48 215 300,00 ₽, расходы — 41 067 912,45 ₽, прибыль — 7 147 387,55 ₽, рентабельность — 14,8 %.',
    )
  })

  it('profit_loss tells a loss without a minus', () => {
    const fields = {
      income: '91000000',
      expenses: '122248010',
      profit: '-31248010',
      margin: '-34.3',
    }
    expect(said('profit_loss', MARCH, 1, fields)).to.equal(
      'За март 2026 года доходы составили 910 000,00 ₽, расходы — 1 222 480,10 ₽, убыток — 312 480,10 ₽.',
    )
  })

  it('profit_loss passes over a profitability that is undefined', () => {
    const fields = { income: '0', expenses: '0', profit: '0', margin: null }
    expect(said('profit_loss', MARCH, 1, fields)).to.equal(
      'За март 2026 года доходы составили 0,00 ₽, расходы — 0,00 ₽, прибыль — 0,00 ₽.',
    )
  })

  it('profit_loss tells refunds above income and expenses with a minus', () => {
    const fields = { income: '-100', expenses: '-6998126', profit: '6998026', margin: null }
    expect(said('profit_loss', MARCH, 1, fields)).to.equal(
      'За март 2026 года доходы составили −1,00 ₽, расходы — −69 981,26 ₽, прибыль — 69 980,26 ₽.',
    )
  })

  it('cash_flow counts the accounts that are in use', () => {
    const fields = { received: '312045000', paid: '298711520', closing: '184500637', accounts: '4' }
    const flow =
      'С 1 января по 31 марта 2026 года поступило 3 120 450,00 ₽, выплачено 2 987 115,20 ₽'
    expect(said('cash_flow', QUARTER, 5, fields)).to.equal(
      `${flow}, на 4 счетах осталось 1 845 006,37 ₽.`,
    )
    expect(said('cash_flow', QUARTER, 30, { ...fields, accounts: '21' })).to.equal(
      `${flow}, на 21 счёте осталось 1 845 006,37 ₽.`,
    )
    expect(said('cash_flow', QUARTER, 1, { ...fields, accounts: '0', closing: '0' })).to.equal(
      `${flow}, на счетах ничего не осталось.`,
    )
    expect(said('cash_flow', QUARTER, 1, { ...fields, accounts: '1', closing: '-100' })).to.equal(
      `${flow}, перерасход на 1 счёте — 1,00 ₽.`,
    )
  })

  it('operations puts the verb into the plural form', () => {
    const fields = { income: '500', expense: '700', transfer: '0', advances: '0' }
    const sums = 'доходы — 5,00 ₽, расходы — 7,00 ₽, переводы — 0,00 ₽.'
    expect(said('operations', YEAR, 1, fields)).to.equal(
      `За 2026 год проведена 1 операция: ${sums}`,
    )
    expect(said('operations', YEAR, 1204, { ...fields, advances: '3' })).to.equal(
      `За 2026 год проведены 1 204 операции (будущим числом — 3): ${sums}`,
    )
    expect(said('operations', YEAR, 12, fields)).to.equal(
      `За 2026 год проведено 12 операций: ${sums}`,
    )
  })

  it('sales_funnel tells what was won, lost and is left', () => {
    const fields = { won: '22', lost: '11', conversion: '66.7', at_end: '5', amount: '548000000' }
    expect(said('sales_funnel', MARCH, 6, fields)).to.equal(
      'За март 2026 года выиграны 22 сделки, проиграно 11 сделок, конверсия — 66,7 %, в работе осталось 5 сделок на 5 480 000,00 ₽.',
    )
    const none = { won: '0', lost: '0', conversion: null, at_end: '0', amount: '0' }
    expect(said('sales_funnel', MARCH, 1, none)).to.equal(
      'За март 2026 года выиграно 0 сделок, проиграно 0 сделок, в работе сделок не осталось.',
    )
  })

  it('stock_balance tells what lies where', () => {
    const fields = {
      warehouses: '2',
      products: '21',
      value: '100',
      in_value: '200',
      out_value: '300',
    }
    expect(said('stock_balance', MARCH, 30, fields)).to.equal(
      'На 31 марта 2026 года на 2 складах лежит 21 товар на 1,00 ₽, за март 2026 года приход составил 2,00 ₽, расход — 3,00 ₽.',
    )
    const began = (products: string) =>
      said('stock_balance', MARCH, 30, { ...fields, warehouses: '1', products })?.split(
        ' на 1,00',
      )[0]
    expect(began('2')).to.equal('На 31 марта 2026 года на 1 складе лежат 2 товара')
    expect(began('5')).to.equal('На 31 марта 2026 года на 1 складе лежит 5 товаров')
    expect(
      said('stock_balance', MARCH, 30, { ...fields, warehouses: '0', products: '0' }),
    ).to.equal(
      'На 31 марта 2026 года на складах пусто, за март 2026 года приход составил 2,00 ₽, расход — 3,00 ₽.',
    )
  })

  it('tasks_by_assignee tells what is done and what is late', () => {
    const fields = { done: '22', assignees: '5', on_time: '81.5', open: '21', overdue: '3' }
    expect(said('tasks_by_assignee', MARCH, 6, fields)).to.equal(
      'За март 2026 года выполнены 22 задачи у 5 исполнителей, в срок — 81,5 %, открыта 21 задача, в том числе просрочены 3.',
    )
    const none = { done: '0', assignees: '0', on_time: null, open: '0', overdue: '0' }
    expect(said('tasks_by_assignee', MARCH, 6, none)).to.equal(
      'За март 2026 года выполнено 0 задач, открытых задач не осталось.',
    )
  })

  it('tasks_by_assignee agrees with its numbers', () => {
    const fields = { done: '100', on_time: null, open: '1', overdue: '1' }
    const of = (assignees: string) =>
      said('tasks_by_assignee', MARCH, 30, { ...fields, assignees })?.split(',')[0]
    expect(of('0')).to.equal('За март 2026 года выполнено 100 задач')
    expect(of('1')).to.equal('За март 2026 года выполнено 100 задач у 1 исполнителя')
    expect(of('2')).to.equal('За март 2026 года выполнено 100 задач у 2 исполнителей')
    expect(of('5')).to.equal('За март 2026 года выполнено 100 задач у 5 исполнителей')
    expect(of('21')).to.equal('За март 2026 года выполнено 100 задач у 21 исполнителя')
    expect(of('141')).to.equal('За март 2026 года выполнено 100 задач у 141 исполнителя')

    const late = (open: string, overdue: string) =>
      said('tasks_by_assignee', MARCH, 30, { ...fields, assignees: '1', open, overdue })?.replace(
        /^.*исполнителя, /,
        '',
      )
    expect(late('1', '0')).to.equal('открыта 1 задача.')
    expect(late('1', '1')).to.equal('открыта 1 задача, в том числе просрочена 1.')
    expect(late('2', '2')).to.equal('открыты 2 задачи, в том числе просрочены 2.')
    expect(late('21', '5')).to.equal('открыта 21 задача, в том числе просрочено 5.')
    expect(late('25', '21')).to.equal('открыто 25 задач, в том числе просрочена 21.')
  })

  it('requests_by_channel tells how soon customers were answered', () => {
    const fields = {
      received: '342',
      closed: '318',
      first_answer_median: '1.4',
      within_promise: '91.2',
    }
    expect(said('requests_by_channel', MAY, 4, fields)).to.equal(
      'За май 2026 года поступило 342 обращения, закрыто 318 обращений, медиана первого ответа — 1,4 часа, в обещанный срок — 91,2 %.',
    )
    const unanswered = { ...fields, first_answer_median: null, within_promise: null }
    expect(said('requests_by_channel', MAY, 4, unanswered)).to.equal(
      'За май 2026 года поступило 342 обращения, закрыто 318 обращений.',
    )
  })

  it('each says so where there is nothing to tell', () => {
    for (const code of catalog.reports.keys()) {
      expect(said(code, MAY, 0), code).to.match(/^(За май|На 31 мая) 2026 года .*(нет|не было)/)
    }
  })
})
