import { expect } from 'chai'
import { IntlMessageFormat } from 'intl-messageformat'
import type { Totals } from '../../src/definitions/definition.ts'
import { compileSummary } from '../../src/definitions/summary.ts'
import type { ColumnType } from '../../src/model/terms.ts'

type Fields = Record<string, [ColumnType, string | null]>

const year = { start: '2026-01-01', end: '2027-01-01' }
const currencyOf = () => ({ code: 'RUB', digits: 2 })
const of = { rowCount: 21, currencyOf, period: year, today: '2026-11-21' }
const totals: Totals = { fields: new Map(), ...of }

function sentenceOf(
  text: string,
  fields: Fields = {},
  more: Partial<Totals> = {},
  language?: string,
): string {
  const types = Object.entries(fields).map(([name, [type]]) => [name, type] as const)
  const summary = compileSummary(text, new Map(types), language)
  expect(summary.findings).to.deep.equal([])
  const raw = new Map(Object.entries(fields).map(([name, [, raw]]) => [name, raw]))
  return summary.format({ ...totals, fields: raw, ...more })
}

/** Replaces spaces in numbers by no-break spaces, which are hard to see in a source file. */
function nbsp(sentence: string): string {
  return sentence.replaceAll(/(?<=\d) (?=\d{3}|₽|%)/g, '\u00a0')
}

const HOURS = 'one {# час} few {# часа} many {# часов} other {# часа}'
const SIGNS = 'negative {минус} zero {ноль} positive {плюс} none {нет} other {?}'

/** Parses `x money 500000; y text null`. */
function fieldsOf(given: string): Fields {
  const fields = given.split('; ').map(field => {
    const [, name = '', type, raw] = /^(\w+) (\w+) (.*)$/.exec(field) ?? []
    return [name, [type, raw === 'null' ? null : raw]]
  })
  return Object.fromEntries(fields) as Fields
}

describe('summary', () => {
  /** A text, its fields, and the expected sentence. */
  const SENTENCES = `
За {period} {x_sign, select, negative {убыток} other {прибыль}} — {x_abs}.
  x money -31248010 => За 2026 год убыток — 312 480,10 ₽.
{period_dates} на {as_of} просрочено {x}.
  x percent 14.8 => С 1 января по 31 декабря 2026 года на 21 ноября 2026 года просрочено 14,8 %.
{row_count, plural, ${HOURS}}, {x, plural, ${HOURS}}, {y, plural, ${HOURS}}
  x integer 342; y number 1.4 => 21 час, 342 часа, 1,4 часа
{x}: {x, plural, ${HOURS}}
  x money 500000 => 5 000,00 ₽: 5 000,00 часов
  x money 150 => 1,50 ₽: 1,50 часа
  x integer 12345671 => 12 345 671: 12 345 671 час
  x percent -2.50 => −2,5 %: −2,5 часа
{x} {x_abs}
  x money -900719925474099301 => −9 007 199 254 740 993,01 ₽ 9 007 199 254 740 993,01 ₽
  x integer -1; x_abs integer 7 => −1 7
{x, plural, other {#}}
  x integer 9007199254740993 => 9 007 199 254 740 993
{x}; {y}; {z}
  x date 2026-03-31; y month 2026-03; z text «А» <b>{x}</b> # => 31 марта 2026 года; март 2026 года; «А» <b>{x}</b> #
{x, select, A {а} none {пусто} other {прочее}}
  x text A => А
Причина{x, select, none { не указана} other { — {x}}}.
  x text none => Причина — none.
  x text null => Причина не указана.
{x} {x_abs} {x, plural, =0 {ноль} other {#}} {x_sign, select, ${SIGNS}}
  x money null => — — — нет
  x money -10 => −0,10 ₽ 0,10 ₽ −0,10 минус
  x money 0 => 0,00 ₽ 0,00 ₽ ноль ноль
  x percent 0.00 => 0 % 0 % ноль ноль
  x percent 0.1 => 0,1 % 0,1 % 0,1 плюс
{x} {y}
  x date null; y text null => — —
`
  for (const [, text = '', cases = ''] of SENTENCES.matchAll(/^(\S.*)\n((?: {2}.*\n)+)/gm)) {
    for (const line of cases.trim().split('\n')) {
      const [fields = '', sentence = ''] = line.trim().split(' => ')
      it(sentence, () => expect(sentenceOf(text, fieldsOf(fields))).to.equal(nbsp(sentence)))
    }
  }

  it('prints the last day of a closed period', () => {
    const period = { start: '2026-07-01', end: '2026-08-01' }
    expect(sentenceOf('На {as_of} задолженности нет.', {}, { period })).to.equal(
      'На 31 июля 2026 года задолженности нет.',
    )
  })

  /** A text, its fields and period, and the expected sentence. */
  const IN_ENGLISH = `
{in_period}, {n, plural, one {# invoice was} other {# invoices were}} paid, {share} of all.
  n integer 1234; share percent 15.3 | 2025-03-01 2025-04-01 | In March 2025, 1,234 invoices were paid, 15.3% of all.
  n integer 1; share percent -100 | 2025-01-01 2026-01-01 | In 2025, 1 invoice was paid, −100% of all.
  n integer 0; share percent null | 2025-03-03 2025-03-04 | On 3 March 2025, 0 invoices were paid, — of all.
  n integer 21; share percent 0 | 2025-03-03 2025-04-01 | From 3 to 31 March 2025, 21 invoices were paid, 0% of all.
For {period} the customer''s average was {x}; {row_count, plural, one {# line} other {# lines}}, the last on {day}.
  x number 1234.5; day date 2025-03-31 | 2025-01-01 2025-04-01 | For the period from 1 January to 31 March 2025 the customer's average was 1,234.5; 21 lines, the last on 31 March 2025.
  x number 0.25; day month 2025-03 | 2024-12-15 2025-01-11 | For the period from 15 December 2024 to 10 January 2025 the customer's average was 0.25; 21 lines, the last on March 2025.
`
  for (const [, text = '', cases = ''] of IN_ENGLISH.matchAll(/^(\S.*)\n((?: {2}.*\n)+)/gm)) {
    for (const line of cases.trim().split('\n')) {
      const [fields = '', days = '', sentence] = line.trim().split(' | ')
      const [start = '', end = ''] = days.split(' ')
      it(`in English: ${sentence}`, () => {
        const given = { period: { start, end }, today: '2026-11-21' }
        expect(sentenceOf(text, fieldsOf(fields), given, 'en')).to.equal(sentence)
      })
    }
  }

  it('in English has the plural forms of English', () => {
    const { findings } = compileSummary('{x, plural, few {#} other {#}}', types, 'en')
    expect(findings).to.deep.equal([
      '"few" is not a form of {x, plural, ...}, expected one of one, other',
    ])
  })

  const types = new Map<string, ColumnType>([
    ['x', 'money'],
    ['name', 'text'],
    ['day', 'date'],
    ['at', 'datetime'],
  ])
  const REJECTED = `
{x
  ICU MessageFormat: expect argument closing brace at character 1, near "{x", expected {name}, {name, plural, ... other {...}} or {name, select, ... other {...}}
{x, plurl, one {#}}
  ICU MessageFormat: invalid argument type at character 5, near "plurl, one {#}}", expected {name}, {name, plural, ... other {...}} or {name, select, ... other {...}}
{x, plural, one {#}}
  ICU MessageFormat: missing other clause at character 20, near "}", expected {name}, {name, plural, ... other {...}} or {name, select, ... other {...}}
{y}
  unknown {y}, expected one of x, name, day, at, period, in_period, period_dates, as_of, row_count
{dya}
  unknown {dya}, did you mean "day"?
{x, plural, other {{x_sign, select, other {# рублей}}}}
  # in a select inside of {x, plural, ...}, expected {x}
{x, number}
  {x, ...} has a style, expected {x}: it prints by its type
{day, date, short}
  {day, ...} has a style, expected {day}: it prints by its type
{x, select, a {b} other {c}}
  {x} cannot be used in select, expected {x}, plural, or {x_sign, select, ...}
{x_sign}
  {x_sign} stands alone, expected {x_sign, select, negative {...} zero {...} positive {...} none {...} other {...}}
{name, plural, other {}}
  {name} is not a number for plural, expected {name}
{period, select, a {b} other {c}}
  {period} cannot be used in select, expected {period}
{x, plural, offset:1 other {#}}
  {x, plural, offset:...}, expected no offset
{x, plural, one {#} mny {#} other {#}}
  "mny" is not a form of {x, plural, ...}, did you mean "many"?
{x, plural, zero {#} other {#}}
  "zero" is not a form of {x, plural, ...}, expected one of one, few, many, other
{x_sign, select, negativ {-} other {+}}
  "negativ" is not a form of {x_sign, select, ...}, did you mean "negative"?
{at}
  {at} stands alone, expected a column or a fact of type date`
  for (const [, text = '', finding] of REJECTED.matchAll(/^(\S.*)\n {2}(.*)$/gm)) {
    it(`rejects ${text}`, () => {
      expect(compileSummary(text, types).findings).to.deep.equal([finding])
    })
  }

  it('selects the forms that ICU selects', () => {
    const plural = '{x, plural, =0 {ноль} one {Один} few {Два} many {Пять} other {Полтора}}'
    const text = `${plural} {y, select, а {${plural}} constructor {к} other {прочее ${plural}}}`
    const icu = new IntlMessageFormat(text, 'ru')
    const numbers = [...Array(130).keys(), 1.5, 2.1, -1, -3, 0.25, 1e6, 1_000_001]
    for (const x of numbers) {
      for (const y of ['а', 'б', 'constructor', '']) {
        const found = sentenceOf(text, { x: ['number', String(x)], y: ['text', y] })
        const expected = String(icu.format({ x, y }))
        expect(found, `${x} ${y}`).to.equal(expected[0]!.toUpperCase() + expected.slice(1))
      }
    }
  })

  it('fails if a field does not match its type', () => {
    expect(() => sentenceOf('{x}', { x: ['money', '1.5'] })).to.throw('found 1.5, expected money')
    expect(() => sentenceOf('{x}', { x: ['number', 'NaN'] })).to.throw('found NaN, expected number')
    const { format } = compileSummary('{x}', types)
    expect(() => format(totals)).to.throw('the totals row has no "x"')
  })
})
