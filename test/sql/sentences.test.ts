// The summaries of the shipped reports, as text to proofread, and the agreement of words with numbers.
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
const SENTENCES = `
profit_loss year income=4821530000 expenses=4106791245 profit=714738755 margin=14.8
За 2026 год доходы составили 48 215 300,00 ₽, расходы — 41 067 912,45 ₽, прибыль — 7 147 387,55 ₽, рентабельность — 14,8 %.
or income=-100 expenses=-6998126 profit=6998026 margin=null
За 2026 год доходы составили −1,00 ₽, расходы — −69 981,26 ₽, прибыль — 69 980,26 ₽.
or income=91000000 expenses=122248010 profit=-31248010 margin=-34.3
За 2026 год доходы составили 910 000,00 ₽, расходы — 1 222 480,10 ₽, убыток — 312 480,10 ₽.

income_by_category year rows=6 amount=4821530000 best=Опт best_amount=3047206960 best_share=63.2
За 2026 год доходы составили 48 215 300,00 ₽ по 6 статьям, больше всего — «Опт»: 30 472 069,60 ₽ (63,2 %).
or rows=1
За 2026 год доходы составили 48 215 300,00 ₽, все — «Опт».
or best_amount=0 best_share=null
За 2026 год доходы составили 48 215 300,00 ₽ по 6 статьям.
or amount=-300 best_amount=-100 best_share=null
За 2026 год доходы составили −3,00 ₽ по 6 статьям.

expenses_by_category march rows=21 amount=122248010 best=Склад best_amount=81906167 best_share=67
За март 2026 года расходы составили 1 222 480,10 ₽ по 21 статье, больше всего — «Склад»: 819 061,67 ₽ (67 %).
or rows=1
За март 2026 года расходы составили 1 222 480,10 ₽, все — «Склад».
or best_amount=-40 best_share=null
За март 2026 года расходы составили 1 222 480,10 ₽ по 21 статье.

cash_flow quarter received=312045000 paid=298711520 closing=184500637 accounts=4
С 1 января по 31 марта 2026 года поступило 3 120 450,00 ₽, выплачено 2 987 115,20 ₽, на 4 счетах осталось 1 845 006,37 ₽.
or accounts=0 closing=0
С 1 января по 31 марта 2026 года поступило 3 120 450,00 ₽, выплачено 2 987 115,20 ₽, на счетах ничего не осталось.
or accounts=1 closing=-100
С 1 января по 31 марта 2026 года поступило 3 120 450,00 ₽, выплачено 2 987 115,20 ₽, перерасход на 1 счёте — 1,00 ₽.

cash_flow_by_month quarter received=312045000 paid=298711520 net=13333480 closing=184500637
С 1 января по 31 марта 2026 года поступило 3 120 450,00 ₽, выплачено 2 987 115,20 ₽, чистый поток — 133 334,80 ₽, на счетах осталось 1 845 006,37 ₽.
or net=-200 closing=-100
С 1 января по 31 марта 2026 года поступило 3 120 450,00 ₽, выплачено 2 987 115,20 ₽, чистый поток — −2,00 ₽, перерасход на счетах — 1,00 ₽.
or closing=0
С 1 января по 31 марта 2026 года поступило 3 120 450,00 ₽, выплачено 2 987 115,20 ₽, чистый поток — 133 334,80 ₽, на счетах ничего не осталось.

receivables march total=240611800 overdue=64020000 debtors=21
На 31 марта 2026 года 21 покупатель должен 2 406 118,00 ₽, из них просрочено 640 200,00 ₽.
or debtors=0
На 31 марта 2026 года задолженность покупателей составляет 2 406 118,00 ₽, из них просрочено 640 200,00 ₽.
or total=-500 overdue=-500
На 31 марта 2026 года возвраты покупателям превышают их долги на 5,00 ₽.
or total=0 overdue=0
На 31 марта 2026 года долги покупателей и возвраты им равны.

receivables year total=240611800 overdue=0 debtors=2
На 21 ноября 2026 года 2 покупателя должны 2 406 118,00 ₽, из них просрочено 0,00 ₽.

payables march total=240611800 overdue=64020000 creditors=21
На 31 марта 2026 года мы должны 21 поставщику 2 406 118,00 ₽, из них просрочено 640 200,00 ₽.
or creditors=0
На 31 марта 2026 года задолженность поставщикам составляет 2 406 118,00 ₽, из них просрочено 640 200,00 ₽.
or total=-500
На 31 марта 2026 года возвраты от поставщиков превышают долги им на 5,00 ₽.
or total=0 overdue=0
На 31 марта 2026 года долги поставщикам и возвраты от них равны.

profit_by_project year profit=714738755 margin=14.8 best=Опт best_profit=300000000 losing=2
За 2026 год прибыль составила 7 147 387,55 ₽, рентабельность — 14,8 %, самый прибыльный проект — «Опт»: 3 000 000,00 ₽, убыточны 2 проекта.
or profit=-31248010 margin=-34.3 best_profit=-100 losing=1
За 2026 год убыток составил 312 480,10 ₽, убыточен 1 проект.
or best_profit=0 losing=0
За 2026 год прибыль составила 7 147 387,55 ₽, рентабельность — 14,8 %.
or profit=500 margin=null best=null best_profit=null losing=0
За 2026 год прибыль составила 5,00 ₽, на проекты ничего не отнесено.

operations year rows=1204 income=500 expense=700 transfer=0 advances=3
За 2026 год проведены 1 204 операции (будущим числом — 3): вида «Доход» — на 5,00 ₽, «Расход» — на 7,00 ₽, «Перевод» — на 0,00 ₽.
or rows=1 advances=0
За 2026 год проведена 1 операция: вида «Доход» — на 5,00 ₽, «Расход» — на 7,00 ₽, «Перевод» — на 0,00 ₽.

payment_calendar year opening=184500637 receipts=50000000 payments=240000000 days_ahead=0 first_day=2026-11-21 last_day=2026-12-31 first_gap=2026-12-03 gap=5499363 overdue_receipts=64020000
На 21 ноября 2026 года на счетах 1 845 006,37 ₽, по 31 декабря 2026 года ожидается поступлений на 500 000,00 ₽, выплат — на 2 400 000,00 ₽, с 3 декабря 2026 года ожидается кассовый разрыв, самое большее — 54 993,63 ₽; просроченные покупателями 640 200,00 ₽ в расчёт не входят.
or first_gap=null gap=0 overdue_receipts=0
На 21 ноября 2026 года на счетах 1 845 006,37 ₽, по 31 декабря 2026 года ожидается поступлений на 500 000,00 ₽, выплат — на 2 400 000,00 ₽, кассового разрыва не ожидается.
or opening=-100 first_gap=null gap=0
На 21 ноября 2026 года перерасход на счетах — 1,00 ₽, по 31 декабря 2026 года ожидается поступлений на 500 000,00 ₽, выплат — на 2 400 000,00 ₽, кассового разрыва не ожидается; просроченные покупателями 640 200,00 ₽ в расчёт не входят.

payment_calendar december opening=184500637 receipts=100 payments=0 days_ahead=21 first_day=2026-12-12 last_day=2026-12-31 first_gap=null gap=0 overdue_receipts=0
На 21 ноября 2026 года ожидается, что к 12 декабря 2026 года на счетах будет 1 845 006,37 ₽, по 31 декабря 2026 года ожидается поступлений на 1,00 ₽, выплат — на 0,00 ₽, кассового разрыва не ожидается.
or opening=-100
На 21 ноября 2026 года ожидается, что к 12 декабря 2026 года перерасход на счетах составит 1,00 ₽, по 31 декабря 2026 года ожидается поступлений на 1,00 ₽, выплат — на 0,00 ₽, кассового разрыва не ожидается.

balance_sheet march assets=649448514 liabilities=62443287 financing=200000000 closing=387005227 change=94263542
На 31 марта 2026 года активы — 6 494 485,14 ₽, обязательства — 624 432,87 ₽, кредиты и деньги собственника — 2 000 000,00 ₽, накопленная прибыль — 3 870 052,27 ₽, за март 2026 года заработано 942 635,42 ₽.
or financing=-500 change=0
На 31 марта 2026 года активы — 6 494 485,14 ₽, обязательства — 624 432,87 ₽, кредиторы и собственник получили на 5,00 ₽ больше, чем дали, накопленная прибыль — 3 870 052,27 ₽.
or financing=0 closing=-100 change=-200
На 31 марта 2026 года активы — 6 494 485,14 ₽, обязательства — 624 432,87 ₽, накопленный убыток — 1,00 ₽, за март 2026 года потеряно 2,00 ₽.

debts march receivable=240611800 receivables=21 overdue_receivable=64020000 payable=100 payables=2 overdue_payable=0
На 31 марта 2026 года нам должны 2 406 118,00 ₽ по 21 документу, из них просрочено 640 200,00 ₽, мы должны 1,00 ₽ по 2 документам, из них просрочено 0,00 ₽.
or receivable=0 receivables=0 payable=0 payables=0
На 31 марта 2026 года нам никто не должен, мы никому не должны.
or receivable=0 receivables=2 payable=0 payables=2
На 31 марта 2026 года покупатели должны столько же, сколько надо им вернуть, мы должны столько же, сколько надо вернуть нам.
or receivable=-30000 payable=-100
На 31 марта 2026 года мы должны вернуть покупателям на 300,00 ₽ больше, чем должны они, поставщики должны вернуть нам на 1,00 ₽ больше, чем должны мы.

sales_funnel march won=22 lost=11 conversion=66.7 at_end=5 amount=548000000
За март 2026 года выиграны 22 сделки, проиграно 11 сделок, конверсия — 66,7 %, в работе осталось 5 сделок на 5 480 000,00 ₽.
or won=0 lost=0 conversion=null at_end=0 amount=0
За март 2026 года выиграно 0 сделок, проиграно 0 сделок, в работе сделок не осталось.

deals_by_manager march won=22 won_amount=548000000 lost=11 win_rate=66.7
За март 2026 года выиграны 22 сделки на 5 480 000,00 ₽, проиграно 11 сделок, доля выигранных — 66,7 %.
or won=0 won_amount=0 lost=0 win_rate=null
За март 2026 года выиграно 0 сделок, проиграно 0 сделок.

deals_by_source march created=40 won=2 won_amount=100 win_rate=66.7 best=Сайт
За март 2026 года создано 40 сделок, выиграны 2 сделки на 1,00 ₽, доля выигранных — 66,7 %; больше всего принёс источник «Сайт».
or created=0 won=0 won_amount=0 win_rate=null best=null
За март 2026 года создано 0 сделок, выиграно 0 сделок.

customers_abc march sales=235 customers=65 revenue=10000 best_share=80.2
За март 2026 года совершено 235 продаж, выручка за вычетом возвратов — 100,00 ₽, покупателей — 65, на класс A приходится 80,2 % выручки.
or sales=0 customers=0 revenue=-10000 best_share=null
За март 2026 года продаж не было, выручка за вычетом возвратов — −100,00 ₽.

deals year rows=4 amount=900 won=2 won_amount=500 lost=1 open=1
За 2026 год созданы 4 сделки на 9,00 ₽, из них выиграны 2 на 5,00 ₽, проиграна 1, в работе — 1.
or won=0 won_amount=0 lost=0
За 2026 год созданы 4 сделки на 9,00 ₽, из них выиграно 0, проиграно 0, в работе — 1.

deals_lost march deals=22 amount=548000000 main_reason=Дорого main_deals=9
За март 2026 года потеряны 22 сделки на 5 480 000,00 ₽, самая частая причина — «Дорого» (9 сделок).
or main_reason=null main_deals=0
За март 2026 года потеряны 22 сделки на 5 480 000,00 ₽.
or main_reason=null main_deals=21
За март 2026 года потеряны 22 сделки на 5 480 000,00 ₽, чаще всего причина не указана (21 сделка).
or deals=1 main_deals=1
За март 2026 года потеряна 1 сделка на 5 480 000,00 ₽, причина — «Дорого».
or deals=1 main_reason=null main_deals=1
За март 2026 года потеряна 1 сделка на 5 480 000,00 ₽, причина не указана.

stock_balance march warehouses=2 products=21 value=100 in_value=200 out_value=300
На 31 марта 2026 года на 2 складах лежит 21 товар на 1,00 ₽, за март 2026 года приход составил 2,00 ₽, расход — 3,00 ₽.
or warehouses=0 products=0
На 31 марта 2026 года на складах пусто, за март 2026 года приход составил 2,00 ₽, расход — 3,00 ₽.

stock_turnover year value=94284053 turnover_days=37.8 dead=9 dead_value=10600639
На 21 ноября 2026 года запас товаров — 942 840,53 ₽, за 2026 год он оборачивался в среднем за 37,8 дня, неликвид — 9 товаров на 106 006,39 ₽.
or turnover_days=null dead=0 dead_value=0
На 21 ноября 2026 года запас товаров — 942 840,53 ₽, неликвида нет.
or turnover_days=0.0
На 21 ноября 2026 года запас товаров — 942 840,53 ₽, неликвид — 9 товаров на 106 006,39 ₽.
or turnover_days=-1.5
На 21 ноября 2026 года запас товаров — 942 840,53 ₽, неликвид — 9 товаров на 106 006,39 ₽.

product_sales quarter revenue=124536199 profit=50536146 margin=40.6 products=31 a_class=13
За период с 1 января по 31 марта 2026 года выручка по 31 товару составила 1 245 361,99 ₽, валовая прибыль — 505 361,46 ₽, рентабельность — 40,6 %, в классе A — 13 товаров.
or profit=-31248010 margin=-312480.1
За период с 1 января по 31 марта 2026 года выручка по 31 товару составила 1 245 361,99 ₽, валовой убыток — 312 480,10 ₽, в классе A — 13 товаров.
or revenue=-100 profit=0 margin=null products=0 a_class=0
За период с 1 января по 31 марта 2026 года выручка составила −1,00 ₽, валовая прибыль — 0,00 ₽.

stock_below_minimum year rows=1 amount=1830000 without_price=0
На 21 ноября 2026 года ниже минимального остатка 1 товар, на пополнение нужно 18 300,00 ₽.
or rows=30 without_price=2
На 21 ноября 2026 года ниже минимального остатка 30 товаров, на пополнение нужно 18 300,00 ₽, цены 2 товаров неизвестны.

tasks_by_assignee march done=22 assignees=5 on_time=81.5 open=21 overdue=3
За март 2026 года выполнены 22 задачи у 5 исполнителей, в срок — 81,5 %, открыта 21 задача, в том числе просрочены 3.
or done=0 assignees=0 on_time=null open=0 overdue=0
За март 2026 года выполнено 0 задач, открытых задач не осталось.

tasks_by_month year created=30 done=22 on_time=81.5 open=21 overdue=3
За 2026 год создано 30 задач, выполнены 22 задачи, в срок — 81,5 %, открыта 21 задача, в том числе просрочены 3.
or created=0 done=0 on_time=null open=0 overdue=0
За 2026 год создано 0 задач, выполнено 0 задач, открытых задач не осталось.

requests_by_channel may received=342 closed=318 first_answer_median=1.4 within_promise=91.2
За май 2026 года поступило 342 обращения, закрыто 318 обращений, медиана первого ответа — 1,4 часа, в обещанный срок — 91,2 %.
or first_answer_median=null within_promise=null
За май 2026 года поступило 342 обращения, закрыто 318 обращений.

requests_by_assignee may received=342 unassigned=12 closed=318 first_answer_median=1.4 within_promise=91.2
За май 2026 года поступило 342 обращения, из них не назначено никому 12, закрыто 318 обращений, медиана первого ответа — 1,4 часа, в обещанный срок — 91,2 %.
or unassigned=0 first_answer_median=null within_promise=null
За май 2026 года поступило 342 обращения, закрыто 318 обращений.
`

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
