// The sentences that income and expenses by category say, read as a person would read them.
import { expect } from 'chai'
import { MARCH, MAY, YEAR, said } from './said.ts'

describe('the sentence of', () => {
  const income = {
    amount: '4821530000',
    best: 'Оптовые продажи',
    best_amount: '3047206960',
    best_share: '63.2',
  }

  it('income_by_category names the category that brought most', () => {
    expect(said('income_by_category', YEAR, 6, income)).to.equal(
      'За 2026 год доходы составили 48 215 300,00 ₽ по 6 статьям, больше всего — «Оптовые продажи»: 30 472 069,60 ₽ (63,2 %).',
    )
  })

  it('income_by_category agrees with the number of categories', () => {
    const began = (count: number) => said('income_by_category', MARCH, count, income).split(',00 ₽')
    expect(began(2)[1]).to.match(/^ по 2 статьям, /)
    expect(began(5)[1]).to.match(/^ по 5 статьям, /)
    expect(began(21)[1]).to.match(/^ по 21 статье, /)
    expect(began(22)[1]).to.match(/^ по 22 статьям, /)
  })

  it('income_by_category says the one category there is without its share', () => {
    const one = {
      ...income,
      best: 'Прочее: Выручка',
      best_amount: income.amount,
      best_share: '100',
    }
    expect(said('income_by_category', MARCH, 1, one)).to.equal(
      'За март 2026 года доходы составили 48 215 300,00 ₽, все — «Прочее: Выручка».',
    )
  })

  it('income_by_category names none where there were only refunds', () => {
    const refunds = { amount: '-300', best: 'Выручка', best_amount: '-100', best_share: null }
    expect(said('income_by_category', MARCH, 2, refunds)).to.equal(
      'За март 2026 года доходы составили −3,00 ₽ по 2 статьям.',
    )
    expect(said('income_by_category', MARCH, 2, { ...refunds, best_amount: '0' })).to.match(
      / по 2 статьям\.$/,
    )
  })

  it('expenses_by_category names the category that took most', () => {
    const expenses = {
      amount: '122248010',
      best: 'Себестоимость проданных товаров',
      best_amount: '81906167',
      best_share: '67',
    }
    expect(said('expenses_by_category', MARCH, 21, expenses)).to.equal(
      'За март 2026 года расходы составили 1 222 480,10 ₽ по 21 статье, больше всего — «Себестоимость проданных товаров»: 819 061,67 ₽ (67 %).',
    )
    expect(said('expenses_by_category', MARCH, 1, expenses)).to.equal(
      'За март 2026 года расходы составили 1 222 480,10 ₽, все — «Себестоимость проданных товаров».',
    )
    const returned = { ...expenses, amount: '-100', best_amount: '-40', best_share: null }
    expect(said('expenses_by_category', MARCH, 2, returned)).to.equal(
      'За март 2026 года расходы составили −1,00 ₽ по 2 статьям.',
    )
  })

  it('both say of an empty period what there was not', () => {
    expect(said('income_by_category', MAY, 0)).to.equal('За май 2026 года доходов не было.')
    expect(said('expenses_by_category', MAY, 0)).to.equal('За май 2026 года расходов не было.')
  })
})
