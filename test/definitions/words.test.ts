import { expect } from 'chai'
import { periodDates, periodWords } from '../../src/definitions/date-words.ts'
import { fieldWords } from '../../src/definitions/words.ts'

const PERIODS = `
2026-01-01 2027-01-01 | 2026 год | с 1 января по 31 декабря 2026 года
2026-03-01 2026-04-01 | март 2026 года | с 1 по 31 марта 2026 года
2026-12-01 2027-01-01 | декабрь 2026 года | с 1 по 31 декабря 2026 года
2028-02-01 2028-03-01 | февраль 2028 года | с 1 по 29 февраля 2028 года
2026-03-03 2026-03-04 | 3 марта 2026 года | 3 марта 2026 года
2026-07-02 2026-08-01 | период с 2 по 31 июля 2026 года | с 2 по 31 июля 2026 года
2026-01-01 2026-04-01 | период с 1 января по 31 марта 2026 года | с 1 января по 31 марта 2026 года
2025-12-15 2026-01-11 | период с 15 декабря 2025 года по 10 января 2026 года | с 15 декабря 2025 года по 10 января 2026 года
2025-01-01 2027-01-01 | период с 1 января 2025 года по 31 декабря 2026 года | с 1 января 2025 года по 31 декабря 2026 года`

describe('words', () => {
  for (const line of PERIODS.trim().split('\n')) {
    const [days = '', period, dates] = line.split(' | ')
    it(`describe [${days}) as «${period}»`, () => {
      const [start = '', end = ''] = days.split(' ')
      const of = { start, end }
      expect([periodWords(of, 'ru'), periodDates(of, 'ru')]).to.deep.equal([period, dates])
    })
  }

  it('have a minus sign, not a hyphen, before a negative number', () => {
    expect(fieldWords('-6998126', 'money', 'ru', { code: 'RUB', digits: 2 })).to.equal(
      '\u221269\u00a0981,26\u00a0₽',
    )
    expect(fieldWords('-34.3', 'percent', 'ru')).to.equal('\u221234,3\u00a0%')
    expect(fieldWords('-1.5', 'number', 'ru')).to.equal('\u22121,5')
    expect(fieldWords('-2', 'integer', 'ru')).to.equal('\u22122')
    expect(fieldWords('-0.0004', 'percent', 'ru')).to.equal('0\u00a0%')
    expect(fieldWords('a-b', 'text', 'ru')).to.equal('a-b')
  })
})
