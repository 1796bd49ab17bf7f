import { expect } from 'chai'
import { FieldError } from '../../../src/formats/format.ts'
import { createTextField, createTextMetric } from '../../../src/formats/terminal/text-field.ts'
import type { ColumnType, MetricFormat } from '../../../src/terms.ts'

const field = (type: ColumnType, raw: string | null) =>
  createTextField('column', type, 'Europe/Moscow')(raw)
const metric = (format: MetricFormat, raw: string | null) =>
  createTextMetric('metric', format, 'Europe/Moscow')(raw)

describe('createTextField', () => {
  it('writes money in roubles, with plain blanks and a minus', () => {
    expect(field('money', '123456789')).to.equal('1 234 567,89')
    expect(field('money', '-5')).to.equal('−0,05')
    expect(field('money', '9007199254740993')).to.equal('90 071 992 547 409,93')
  })

  it('writes numbers with a comma, a share with its sign', () => {
    expect(field('number', '1234.500')).to.equal('1 234,500')
    expect(field('integer', '-1234')).to.equal('−1 234')
    expect(field('percent', '12.5')).to.equal('12,5 %')
  })

  it('writes dates with the day first, instants by the local clock', () => {
    expect(field('date', '2026-12-31')).to.equal('31.12.2026')
    expect(field('month', '2026-12')).to.equal('12.2026')
    expect(field('datetime', '2026-12-31 21:00:00.25+00')).to.equal('01.01.2027 00:00:00')
  })

  it('writes a dash for null', () => {
    for (const type of ['text', 'money', 'date', 'datetime'] as const) {
      expect(field(type, null)).to.equal('—')
    }
  })

  it('keeps a text on its line, whatever it holds', () => {
    expect(field('text', 'две\r\nстроки\tи «"кавычки"» 🙂')).to.equal('две↵строки и «"кавычки"» 🙂')
    expect(field('text', '\u001b[31mкрасное\u202e')).to.equal('\ufffd[31mкрасное\ufffd')
  })

  it('refuses what the API refuses', () => {
    const wrong = [
      ['money', '1.5'],
      ['number', 'NaN'],
      ['date', 'infinity'],
      ['datetime', 'infinity'],
    ] as const
    for (const [type, raw] of wrong) expect(() => field(type, raw), raw).to.throw(FieldError)
  })
})

describe('createTextMetric', () => {
  it('writes a value with its unit', () => {
    expect(metric('money', '123456')).to.equal('1 234,56 ₽')
    expect(metric('percent', '8.9')).to.equal('8,9 %')
    expect(metric('days', '12')).to.equal('12 дн.')
    expect(metric('hours', '1.4')).to.equal('1,4 ч')
    expect(metric('integer', '1234')).to.equal('1 234')
    expect(metric('hours', null)).to.equal('—')
  })

  it('refuses what the API refuses', () => {
    expect(() => metric('days', 'NaN')).to.throw(FieldError)
  })
})
