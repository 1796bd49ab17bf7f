// The sentences that our reports of finance say, read as a person would read them.
import { expect } from 'chai'
import { MARCH, QUARTER, YEAR, said } from './said.ts'

describe('the sentence of', () => {
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

  it('cash_flow_by_month tells what came, went and is left', () => {
    const fields = {
      received: '312045000',
      paid: '298711520',
      net: '13333480',
      closing: '184500637',
    }
    const flow =
      'С 1 января по 31 марта 2026 года поступило 3 120 450,00 ₽, выплачено 2 987 115,20 ₽'
    expect(said('cash_flow_by_month', QUARTER, 3, fields)).to.equal(
      `${flow}, чистый поток — 133 334,80 ₽, на счетах осталось 1 845 006,37 ₽.`,
    )
    const spent = { ...fields, net: '-200', closing: '-100' }
    expect(said('cash_flow_by_month', QUARTER, 3, spent)).to.equal(
      `${flow}, чистый поток — −2,00 ₽, перерасход на счетах — 1,00 ₽.`,
    )
    expect(said('cash_flow_by_month', QUARTER, 3, { ...fields, closing: '0' })).to.equal(
      `${flow}, чистый поток — 133 334,80 ₽, на счетах ничего не осталось.`,
    )
  })

  it('operations puts the verb into the plural form', () => {
    const fields = { income: '500', expense: '700', transfer: '0', advances: '0' }
    const sums = 'вида «Доход» — на 5,00 ₽, «Расход» — на 7,00 ₽, «Перевод» — на 0,00 ₽.'
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
})
