// The summaries of the shipped reports, as text to proofread, and the agreement of words with numbers.
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Period, RawField } from '../../src/model/terms.ts'
import { ourCatalog } from './subject.ts'

const TODAY = '2026-11-21'

const MAY: Period = { start: '2026-05-01', end: '2026-06-01' }
const PERIODS: Readonly<Record<string, Period>> = {
  year: { start: '2026-01-01', end: '2027-01-01' },
  quarter: { start: '2026-01-01', end: '2026-04-01' },
  march: { start: '2026-03-01', end: '2026-04-01' },
  may: MAY,
  december: { start: '2026-12-12', end: '2027-01-01' },
}

/**
 * Two lines each: the report with a period and totals, and the summary. A line that begins with `or` repeats the case
 * above with some totals replaced.
 */
const SENTENCES = readFileSync('test/sql/sentences.txt', 'utf8')

interface Case {
  readonly code: string
  readonly period: Period
  readonly totals: Readonly<Record<string, RawField>>
  readonly sentence: string
}

function readCases(text: string): Case[] {
  const lines = text.split('\n').filter(line => line !== '')
  let first: Case | undefined
  return Array.from({ length: lines.length / 2 }, (_, at) => {
    const [head = '', ...rest] = (lines[2 * at] ?? '').split(' ')
    const given = Object.fromEntries(
      rest.flatMap(word => {
        const [name = '', value = ''] = word.split('=')
        return value === '' ? [] : [[name, value === 'null' ? null : value]]
      }),
    )
    const sentence = lines[2 * at + 1] ?? ''
    if (head === 'or' && first !== undefined) {
      return { ...first, totals: { ...first.totals, ...given }, sentence }
    }
    const period = PERIODS[rest[0] ?? '']
    if (period === undefined) throw new Error(`no period in: ${lines[2 * at]}`)
    first = { code: head, period, totals: given, sentence }
    return first
  })
}

const { reports } = ourCatalog()

function reportNamed(code: string) {
  const report = reports.get(code)
  if (report === undefined) throw new Error(`no report ${code}`)
  return report
}

/** With plain spaces: tests of `definitions/` cover no-break spaces. */
function summaryOf({
  code,
  period,
  totals: { rows = '30', ...fields },
}: Omit<Case, 'sentence'>): string {
  return reportNamed(code)
    .summarize({
      fields: new Map(Object.entries(fields)),
      rowCount: Number(rows),
      period,
      today: TODAY,
    })
    .replaceAll(/[\u00a0\u202f]/g, ' ')
}

/** Words next to a number, in the forms for 1, 2 and 5. */
const ADJACENT = [
  'сделка сделки сделок',
  'задача задачи задач',
  'продажа продажи продаж',
  'операция операции операций',
  'обращение обращения обращений',
  'товар товара товаров',
  'товара товаров товаров',
  'товару товарам товарам',
  'проект проекта проектов',
  'покупатель покупателя покупателей',
  'поставщику поставщикам поставщикам',
  'исполнителя исполнителей исполнителей',
  'документу документам документам',
  'статье статьям статьям',
  'счёте счетах счетах',
  'складе складах складах',
  'час часа часов',
  'день дня дней',
  'выиграна выиграны выиграно',
  'проиграна проиграны проиграно',
  'создана созданы создано',
  'совершена совершены совершено',
  'потеряна потеряны потеряно',
  'проведена проведены проведено',
  'выполнена выполнены выполнено',
  'открыта открыты открыто',
  'просрочена просрочены просрочено',
  'осталась остались осталось',
  'убыточен убыточны убыточно',
  'лежит лежат лежит',
  'цена цены цены',
  ...'в за на по у года закрыто никому остатка поступило должны'
    .split(' ')
    .map(word => `${word} ${word} ${word}`),
].map(forms => forms.split(' '))

/** Words after the counted noun. */
const NEXT = ['должен должны должны', 'неизвестна неизвестны неизвестны'].map(forms =>
  forms.split(' '),
)

/** A sentence with `#` for numbers, `~` for words that agree with them, and `!` for words that do not. */
function shapeOf(sentence: string): string {
  const counted = sentence
    .replaceAll(/[−\d ]+,\d\d ₽/g, ' сумма')
    .replaceAll(/[\d,]+ %/g, 'доля')
    .replaceAll(/\d+ (января|марта|мая|ноября|декабря)|20\d\d года?/g, '')
    .replaceAll(/(\d) (\d{3})/g, '$1$2')
  const words = counted.match(/[а-яёa-z]+|\d+(?:,\d)?|[^ ]/gi) ?? []
  const shape = [...words]
  for (const [at, number] of words.entries()) {
    if (!/^\d/.test(number)) continue
    shape[at] = '#'
    for (const [place, known] of [
      [at - 1, ADJACENT],
      [at + 1, ADJACENT],
      [at + 2, NEXT],
    ] as const) {
      const word = words[place]?.toLowerCase() ?? ''
      const agreeing = known.filter(forms => forms[formFor(number)] === word)
      if (agreeing.some(forms => new Set(forms).size > 1)) shape[place] = '~'
      else if (known === ADJACENT && /[а-яё]/.test(word) && agreeing.length === 0)
        shape[place] = `!${word}`
    }
  }
  return shape.join(' ')
}

/** The index of the form among the three. A fraction takes the form of 2. */
const FORMS: Partial<Record<Intl.LDMLPluralRule, number>> = { one: 0, few: 1, many: 2, other: 1 }
const rules = new Intl.PluralRules('ru')

function formFor(number: string): number {
  return FORMS[rules.select(Number(number.replace(',', '.')))] ?? -1
}

describe('the summary of', () => {
  const cases = readCases(SENTENCES)

  for (const { sentence, ...request } of cases) {
    it(`${request.code}: ${sentence}`, () => expect(summaryOf(request)).to.equal(sentence))
  }

  for (const code of reports.keys()) {
    it(`${code} agrees with its numbers and has no other differences`, () => {
      const { summaryColumns } = reportNamed(code)
      const found = cases.filter(one => one.code === code)
      for (const { period, totals } of found) {
        for (const name of Object.keys(totals)) {
          const type = name === 'rows' ? 'integer' : summaryColumns.get(name)
          if (type !== 'integer' && type !== 'number') continue
          const isOneNamed = found.some(other => other.totals[name] === '1')
          const numbers = isOneNamed ? ['2', '5', '11', '21', '22'] : ['1', '2', '5', '11', '21']
          if (type === 'number') numbers.push('1.5')
          const sentences = numbers.map(value =>
            summaryOf({ code, period, totals: { ...totals, [name]: value } }),
          )
          const shapes = new Set(sentences.map(shapeOf))
          expect([...shapes], sentences.join('\n')).to.have.lengthOf(1)
          expect([...shapes].join(), sentences.join('\n')).not.to.include('!')
        }
      }
    })

    it(`${code} names period and subject if there are no rows`, () => {
      const empty = summaryOf({ code, period: MAY, totals: { rows: '0' } })
      expect(empty).to.match(/^(За май|На 31 мая) 2026 года .*(нет|не было|не ожидается)\.?/)
    })
  }
})
