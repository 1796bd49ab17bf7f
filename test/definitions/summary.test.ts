import { expect } from 'chai'
import type { Totals } from '../../src/definitions/definition.ts'
import { compileSummary } from '../../src/definitions/summary.ts'
import type { ColumnType } from '../../src/terms.ts'

type Fields = Record<string, [ColumnType, string | null]>

const year = { start: '2026-01-01', end: '2027-01-01' }
const march = { start: '2026-03-01', end: '2026-04-01' }
const totals: Totals = { fields: new Map(), rowCount: 21, period: year, today: '2026-11-21' }

function typesOf(fields: Fields): Map<string, ColumnType> {
  return new Map(Object.entries(fields).map(([name, [type]]) => [name, type]))
}

function say(text: string, fields: Fields, more: Partial<Totals> = {}): string {
  const { findings, format } = compileSummary(text, typesOf(fields))
  expect(findings).to.deep.equal([])
  const raw = new Map(Object.entries(fields).map(([name, [, raw]]) => [name, raw]))
  return format({ ...totals, fields: raw, ...more })
}

/** A sentence of the catalogue with the no-break spaces that its page does not show. */
function nbsp(sentence: string): string {
  return sentence.replaceAll(/(?<=\d) (?=\d{3}|₽|%)/g, '\u00a0')
}

describe('summary', () => {
  it('says the first sentence of the catalogue', () => {
    const text =
      'За {period} доходы составили {income}, расходы — {expenses}, {profit_sign, select, negative {убыток} other {прибыль}} — {profit_abs}, рентабельность — {margin}.'
    const fields: Fields = {
      income: ['money', '4821530000'],
      expenses: ['money', '4106791245'],
      profit: ['money', '714738755'],
      margin: ['percent', '14.8'],
    }
    expect(say(text, fields)).to.equal(
      nbsp(
        'За 2026 год доходы составили 48 215 300,00 ₽, расходы — 41 067 912,45 ₽, прибыль — 7 147 387,55 ₽, рентабельность — 14,8 %.',
      ),
    )
  })

  it('says a loss without a minus', () => {
    const text =
      'За {period} доходы составили {income}, расходы — {expenses}, {profit_sign, select, negative {убыток} other {прибыль}} — {profit_abs}.'
    const fields: Fields = {
      income: ['money', '91000000'],
      expenses: ['money', '122248010'],
      profit: ['money', '-31248010'],
    }
    expect(say(text, fields, { period: march })).to.equal(
      nbsp(
        'За март 2026 года доходы составили 910 000,00 ₽, расходы — 1 222 480,10 ₽, убыток — 312 480,10 ₽.',
      ),
    )
  })

  it('says what moved between dates, and begins with a capital letter', () => {
    const text =
      '{period_dates} поступило {received}, выплачено {paid}, на {row_count, plural, one {# счёте} few {# счетах} many {# счетах} other {# счёта}} осталось {closing}.'
    const fields: Fields = {
      received: ['money', '312045000'],
      paid: ['money', '298711520'],
      closing: ['money', '184500637'],
    }
    const period = { start: '2026-01-01', end: '2026-04-01' }
    expect(say(text, fields, { period, rowCount: 4 })).to.equal(
      nbsp(
        'С 1 января по 31 марта 2026 года поступило 3 120 450,00 ₽, выплачено 2 987 115,20 ₽, на 4 счетах осталось 1 845 006,37 ₽.',
      ),
    )
  })

  it('puts the verb into the plural form', () => {
    const text =
      'На {as_of} {row_count, plural, one {# покупатель должен} few {# покупателя должны} many {# покупателей должны} other {# покупателя должны}} {total}, из них просрочено {overdue}.'
    const fields: Fields = { total: ['money', '240611800'], overdue: ['money', '64020000'] }
    expect(say(text, fields, { period: march })).to.equal(
      nbsp(
        'На 31 марта 2026 года 21 покупатель должен 2 406 118,00 ₽, из них просрочено 640 200,00 ₽.',
      ),
    )
    expect(say(text, fields, { rowCount: 3 })).to.contain(' 3 покупателя должны ')
    expect(say(text, fields, { rowCount: 5 })).to.contain(' 5 покупателей должны ')
  })

  it('declines what was won and lost', () => {
    const text =
      'За {period} {won, plural, one {выиграна # сделка} few {выиграны # сделки} many {выиграно # сделок} other {выиграно # сделки}} на {amount}, {lost, plural, one {проиграна # сделка} few {проиграны # сделки} many {проиграно # сделок} other {проиграно # сделки}}, доля выигранных — {rate}.'
    const fields: Fields = {
      won: ['integer', '22'],
      lost: ['integer', '11'],
      amount: ['money', '548000000'],
      rate: ['percent', '66.7'],
    }
    const period = { start: '2026-04-01', end: '2026-05-01' }
    expect(say(text, fields, { period })).to.equal(
      nbsp(
        'За апрель 2026 года выиграны 22 сделки на 5 480 000,00 ₽, проиграно 11 сделок, доля выигранных — 66,7 %.',
      ),
    )
  })

  it('takes today for the day of a state in a period that goes on', () => {
    const text =
      'На {as_of} ниже минимального остатка {row_count, plural, one {# товар} few {# товара} many {# товаров} other {# товара}}, на пополнение нужно {amount}.'
    expect(say(text, { amount: ['money', '1830000'] }, { rowCount: 1 })).to.equal(
      nbsp(
        'На 21 ноября 2026 года ниже минимального остатка 1 товар, на пополнение нужно 18 300,00 ₽.',
      ),
    )
  })

  it('declines decimals too', () => {
    const requests =
      'plural, one {# обращение} few {# обращения} many {# обращений} other {# обращения}'
    const text = `За {period} поступило {received, ${requests}}, закрыто {closed, ${requests}}, медиана первого ответа — {median, plural, one {# час} few {# часа} many {# часов} other {# часа}}, в обещанный срок — {within_promise}.`
    const fields: Fields = {
      received: ['integer', '342'],
      closed: ['integer', '318'],
      median: ['number', '1.4'],
      within_promise: ['percent', '91.2'],
    }
    const period = { start: '2026-05-01', end: '2026-06-01' }
    expect(say(text, fields, { period })).to.equal(
      nbsp(
        'За май 2026 года поступило 342 обращения, закрыто 318 обращений, медиана первого ответа — 1,4 часа, в обещанный срок — 91,2 %.',
      ),
    )
  })

  it('says the empty sentences', () => {
    const period = { start: '2026-07-01', end: '2026-08-01' }
    expect(say('За период {period_dates} операций не было.', {}, { period })).to.equal(
      'За период с 1 по 31 июля 2026 года операций не было.',
    )
    expect(say('На {as_of} задолженности покупателей нет.', {}, { period })).to.equal(
      'На 31 июля 2026 года задолженности покупателей нет.',
    )
  })

  it('prints an argument by its type, alone and counted in one sentence', () => {
    const text = '{x}: {x, plural, one {# рубль} few {# рубля} many {# рублей} other {# рубля}}'
    expect(say(text, { x: ['money', '500000'] })).to.equal(nbsp('5 000,00 ₽: 5 000,00 рублей'))
    expect(say(text, { x: ['money', '150'] })).to.equal(nbsp('1,50 ₽: 1,50 рубля'))
    expect(say(text, { x: ['integer', '12345671'] })).to.equal(nbsp('12 345 671: 12 345 671 рубль'))
    expect(say(text, { x: ['percent', '-2.50'] })).to.equal(nbsp('−2,5 %: −2,5 рубля'))
  })

  it('keeps every kopeck beyond what a float holds', () => {
    expect(say('{x} {x_abs}', { x: ['money', '-900719925474099301'] })).to.equal(
      nbsp('−9 007 199 254 740 993,01 ₽ 9 007 199 254 740 993,01 ₽'),
    )
    expect(say('{x, plural, other {#}}', { x: ['integer', '9007199254740993'] })).to.equal(
      nbsp('9 007 199 254 740 993'),
    )
  })

  it('has a dash for null, and a sign for it', () => {
    const text =
      '{x} {x_abs} {x, plural, =0 {ноль} other {#}} {x_sign, select, negative {минус} zero {ноль} positive {плюс} none {нет} other {?}} {day} {name}'
    const fields: Fields = { x: ['money', null], day: ['date', null], name: ['text', null] }
    expect(say(text, fields)).to.equal('— — — нет — —')
    const sign = (raw: string) =>
      say(text, { ...fields, x: ['percent', raw] })
        .split(' ')
        .at(-3)
    expect(['-0.1', '0', '0.00', '0.1'].map(sign)).to.deep.equal(['минус', 'ноль', 'ноль', 'плюс'])
  })

  it('prints dates, months and texts', () => {
    const fields: Fields = {
      day: ['date', '2026-03-31'],
      month: ['month', '2026-03'],
      name: ['text', 'ООО «Ромашка» <b>{x}</b> #'],
    }
    expect(say('{day}; {month}; {name}', fields)).to.equal(
      '31 марта 2026 года; март 2026 года; ООО «Ромашка» <b>{x}</b> #',
    )
    expect(
      say('{name, select, A {а} none {пусто} other {прочее}}', { name: ['text', 'A'] }),
    ).to.equal('А')
  })

  it('tells a text «none» from null', () => {
    const text = 'Причина{reason, select, none { не указана} other { — {reason}}}.'
    expect(say(text, { reason: ['text', 'none'] })).to.equal('Причина — none.')
    expect(say(text, { reason: ['text', null] })).to.equal('Причина не указана.')
  })

  it('lets a column of its own be called like an absolute value', () => {
    expect(say('{x_abs}', { x: ['integer', '-1'], x_abs: ['integer', '7'] })).to.equal('7')
  })

  const refused: Array<[string, string]> = [
    [
      '{x',
      'ICU MessageFormat: expect argument closing brace at character 1, near "{x", expected balanced braces around a name or a plural or select form',
    ],
    [
      '{x, plurl, one {#}}',
      'ICU MessageFormat: invalid argument type at character 5, near "plurl, one {#}}", expected {name}, {name, plural, ...} or {name, select, ...}',
    ],
    [
      '{x, plural, one {#}}',
      'ICU MessageFormat: missing other clause at character 20, near "}", expected a form "other {...}"',
    ],
    [
      '{y}',
      'unknown {y}, expected one of x, name, day, at, period, period_dates, as_of, row_count',
    ],
    ['{dya}', 'unknown {dya}, did you mean "day"?'],
    [
      '{x, plural, other {{x_sign, select, other {# рублей}}}}',
      '# in a select inside of {x, plural, ...}, expected {x}',
    ],
    ['{x, number}', '{x, ...} has a style, expected {x}: it prints by its type'],
    ['{day, date, short}', '{day, ...} has a style, expected {day}: it prints by its type'],
    [
      '{x, select, a {b} other {c}}',
      '{x} is not to be selected by, expected {x}, plural, or {x_sign, select, ...}',
    ],
    [
      '{x_sign}',
      '{x_sign} stands alone, expected {x_sign, select, negative {...} zero {...} positive {...} none {...} other {...}}',
    ],
    ['{name, plural, other {}}', '{name} is no number for plural, expected {name}'],
    ['{period, select, a {b} other {c}}', '{period} is not to be selected by, expected {period}'],
    ['{x, plural, offset:1 other {#}}', '{x, plural, offset:...}, expected no offset'],
    [
      '{x, plural, one {#} mny {#} other {#}}',
      '"mny" is no form of {x, plural, ...}, did you mean "many"?',
    ],
    [
      '{x, plural, zero {#} other {#}}',
      '"zero" is no form of {x, plural, ...}, expected one of one, few, many, other',
    ],
    [
      '{x_sign, select, negativ {-} other {+}}',
      '"negativ" is no form of {x_sign, select, ...}, did you mean "negative"?',
    ],
    ['{at}', '{at} stands alone, expected a column or a fact of type date'],
  ]
  const types = new Map<string, ColumnType>([
    ['x', 'money'],
    ['name', 'text'],
    ['day', 'date'],
    ['at', 'datetime'],
  ])
  for (const [text, finding] of refused) {
    it(`refuses ${text}`, () => {
      expect(compileSummary(text, types).findings).to.deep.equal([finding])
    })
  }

  it('fails on a field that is not what its type says', () => {
    expect(() => say('{x}', { x: ['money', '1.5'] })).to.throw('found 1.5, expected money')
    expect(() => say('{x}', { x: ['number', 'NaN'] })).to.throw('found NaN, expected number')
    const { format } = compileSummary('{x}', types)
    expect(() => format(totals)).to.throw('the totals row has no "x"')
  })
})
