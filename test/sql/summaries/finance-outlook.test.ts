// The sentences on debts, on what is expected and on what is owned, read as a person would read them.
import { expect } from 'chai'
import { MARCH, said, YEAR } from './said.ts'

describe('the sentence of', () => {
  it('payment_calendar tells what is expected and when money runs out', () => {
    const fields = {
      opening: '184500637',
      receipts: '50000000',
      payments: '240000000',
      days_ahead: '0',
      first_day: '2026-11-21',
      last_day: '2026-12-31',
      first_gap: '2026-12-03',
      gap: '5499363',
      overdue_receipts: '0',
    }
    const expected =
      'по 31 декабря 2026 года ожидается поступлений на 500 000,00 ₽, выплат — на 2 400 000,00 ₽'
    expect(said('payment_calendar', YEAR, 7, fields)).to.equal(
      `На 21 ноября 2026 года на счетах 1 845 006,37 ₽, ${expected}, с 3 декабря 2026 года ожидается кассовый разрыв, самое большее — 54 993,63 ₽.`,
    )
    const enough = { ...fields, first_gap: null, gap: '0' }
    expect(said('payment_calendar', YEAR, 7, enough)).to.equal(
      `На 21 ноября 2026 года на счетах 1 845 006,37 ₽, ${expected}, кассового разрыва не ожидается.`,
    )
    const overdrawn = { ...enough, opening: '-100' }
    expect(said('payment_calendar', YEAR, 7, overdrawn)).to.equal(
      `На 21 ноября 2026 года перерасход на счетах — 1,00 ₽, ${expected}, кассового разрыва не ожидается.`,
    )
    const late = (other: object) =>
      said('payment_calendar', YEAR, 7, { ...other, overdue_receipts: '64020000' })
    expect(late(fields)).to.match(
      / — 54 993,63 ₽; просроченные покупателями 640 200,00 ₽ в расчёт не входят\.$/,
    )
    expect(late(enough)).to.match(
      /разрыва не ожидается; просроченные покупателями 640 200,00 ₽ в расчёт не входят\.$/,
    )
  })

  it('payment_calendar of a period that has not begun tells what it will begin with', () => {
    const fields = {
      opening: '184500637',
      receipts: '100',
      payments: '0',
      days_ahead: '21',
      first_day: '2026-12-12',
      last_day: '2026-12-31',
      first_gap: null,
      gap: '0',
      overdue_receipts: '0',
    }
    const december = { start: '2026-12-12', end: '2027-01-01' }
    const expected =
      'по 31 декабря 2026 года ожидается поступлений на 1,00 ₽, выплат — на 0,00 ₽, кассового разрыва не ожидается.'
    expect(said('payment_calendar', december, 3, fields)).to.equal(
      `На 21 ноября 2026 года ожидается, что к 12 декабря 2026 года на счетах будет 1 845 006,37 ₽, ${expected}`,
    )
    expect(said('payment_calendar', december, 3, { ...fields, opening: '-100' })).to.equal(
      `На 21 ноября 2026 года ожидается, что к 12 декабря 2026 года перерасход на счетах составит 1,00 ₽, ${expected}`,
    )
  })

  it('balance_sheet tells what is owned and owed, and what was earned', () => {
    const fields = {
      assets: '649448514',
      liabilities: '62443287',
      financing: '200000000',
      closing: '387005227',
      change: '94263542',
    }
    const of = (other: object) => said('balance_sheet', MARCH, 12, { ...fields, ...other })
    const sides =
      'На 31 марта 2026 года активы — 6 494 485,14 ₽, обязательства — 624 432,87 ₽, кредиты и деньги собственника — 2 000 000,00 ₽'
    expect(of({})).to.equal(
      `${sides}, накопленная прибыль — 3 870 052,27 ₽, за март 2026 года заработано 942 635,42 ₽.`,
    )
    expect(of({ change: '0' })).to.equal(`${sides}, накопленная прибыль — 3 870 052,27 ₽.`)
    expect(of({ closing: '-100', change: '-200' })).to.equal(
      `${sides}, накопленный убыток — 1,00 ₽, за март 2026 года потеряно 2,00 ₽.`,
    )
    expect(of({ financing: '0' })).to.match(/ — 624 432,87 ₽, накопленная прибыль — /)
    expect(of({ financing: '-500' })).to.match(
      / — 624 432,87 ₽, кредиторы и собственник получили на 5,00 ₽ больше, чем дали, накопленная/,
    )
  })

  it('debts tells who owes how much by how many documents', () => {
    const fields = {
      receivable: '240611800',
      overdue_receivable: '64020000',
      payable: '100',
      overdue_payable: '0',
    }
    const of = (receivables: string, payables: string) =>
      said('debts', MARCH, 26, { ...fields, receivables, payables })
    expect(of('21', '2')).to.equal(
      'На 31 марта 2026 года нам должны 2 406 118,00 ₽ по 21 документу, из них просрочено 640 200,00 ₽, мы должны 1,00 ₽ по 2 документам, из них просрочено 0,00 ₽.',
    )
    const counts = (receivables: string, payables: string) =>
      [...of(receivables, payables).matchAll(/по ([^,]*),/g)].map(([, count]) => count)
    expect(counts('1', '5')).to.deep.equal(['1 документу', '5 документам'])
    const none = { ...fields, receivable: '0', receivables: '0', payable: '0', payables: '0' }
    expect(said('debts', MARCH, 2, none)).to.equal(
      'На 31 марта 2026 года нам никто не должен, мы никому не должны.',
    )
    const even = { ...none, receivables: '2', payables: '2' }
    expect(said('debts', MARCH, 4, even)).to.equal(
      'На 31 марта 2026 года покупатели должны столько же, сколько надо им вернуть, мы должны столько же, сколько надо вернуть нам.',
    )
    const refunds = { ...even, receivable: '-30000', payable: '-100' }
    expect(said('debts', MARCH, 4, refunds)).to.equal(
      'На 31 марта 2026 года мы должны вернуть покупателям на 300,00 ₽ больше, чем должны они, поставщики должны вернуть нам на 1,00 ₽ больше, чем должны мы.',
    )
  })
})
