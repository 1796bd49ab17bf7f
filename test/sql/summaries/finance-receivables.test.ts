// The sentences that receivables and payables say, read as a person would read them.
import { expect } from 'chai'
import { MARCH, said, YEAR } from './said.ts'

describe('the sentence of', () => {
  const fields = { total: '240611800', overdue: '64020000' }

  it('receivables counts those who owe', () => {
    const of = (debtors: string) => said('receivables', MARCH, 25, { ...fields, debtors })
    const sums = '2 406 118,00 ₽, из них просрочено 640 200,00 ₽.'
    expect(of('21')).to.equal(`На 31 марта 2026 года 21 покупатель должен ${sums}`)
    expect(of('1')).to.equal(`На 31 марта 2026 года 1 покупатель должен ${sums}`)
    expect(of('3')).to.equal(`На 31 марта 2026 года 3 покупателя должны ${sums}`)
    expect(of('5')).to.equal(`На 31 марта 2026 года 5 покупателей должны ${sums}`)
    expect(of('0')).to.equal(`На 31 марта 2026 года задолженность покупателей составляет ${sums}`)
  })

  it('receivables is said as of today where the period has not ended', () => {
    expect(said('receivables', YEAR, 2, { ...fields, debtors: '2', overdue: '0' })).to.equal(
      'На 21 ноября 2026 года 2 покупателя должны 2 406 118,00 ₽, из них просрочено 0,00 ₽.',
    )
  })

  it('receivables tells refunds above debts without a minus', () => {
    const refunds = { total: '-500', overdue: '-500', debtors: '1' }
    expect(said('receivables', MARCH, 3, refunds)).to.equal(
      'На 31 марта 2026 года возвраты покупателям превышают их долги на 5,00 ₽.',
    )
    expect(said('receivables', MARCH, 2, { total: '0', overdue: '0', debtors: '1' })).to.equal(
      'На 31 марта 2026 года долги покупателей и возвраты им равны.',
    )
  })

  it('receivables says of none that there is none', () => {
    expect(said('receivables', { start: '2026-07-01', end: '2026-08-01' }, 0)).to.equal(
      'На 31 июля 2026 года задолженности покупателей нет.',
    )
  })

  it('payables counts those to whom we owe', () => {
    const of = (creditors: string) => said('payables', MARCH, 25, { ...fields, creditors })
    const sums = '2 406 118,00 ₽, из них просрочено 640 200,00 ₽.'
    expect(of('21')).to.equal(`На 31 марта 2026 года мы должны 21 поставщику ${sums}`)
    expect(of('1')).to.equal(`На 31 марта 2026 года мы должны 1 поставщику ${sums}`)
    expect(of('2')).to.equal(`На 31 марта 2026 года мы должны 2 поставщикам ${sums}`)
    expect(of('5')).to.equal(`На 31 марта 2026 года мы должны 5 поставщикам ${sums}`)
    expect(of('0')).to.equal(`На 31 марта 2026 года задолженность поставщикам составляет ${sums}`)
  })

  it('payables tells refunds above debts without a minus', () => {
    const refunds = { total: '-500', overdue: '0', creditors: '0' }
    expect(said('payables', MARCH, 3, refunds)).to.equal(
      'На 31 марта 2026 года возвраты от поставщиков превышают долги им на 5,00 ₽.',
    )
    expect(said('payables', MARCH, 2, { total: '0', overdue: '0', creditors: '1' })).to.equal(
      'На 31 марта 2026 года долги поставщикам и возвраты от них равны.',
    )
    expect(said('payables', MARCH, 0)).to.equal(
      'На 31 марта 2026 года задолженности поставщикам нет.',
    )
  })
})
