// The sentences that our reports of deals say, read as a person would read them.
import { expect } from 'chai'
import type { Period } from '../../../src/terms.ts'
import { MARCH, YEAR, said } from './said.ts'

const APRIL: Period = { start: '2026-04-01', end: '2026-05-01' }

describe('the sentence of', () => {
  it('sales_funnel tells what was won, lost and is left', () => {
    const fields = { won: '22', lost: '11', conversion: '66.7', at_end: '5', amount: '548000000' }
    expect(said('sales_funnel', MARCH, 6, fields)).to.equal(
      'За март 2026 года выиграны 22 сделки, проиграно 11 сделок, конверсия — 66,7 %, в работе осталось 5 сделок на 5 480 000,00 ₽.',
    )
    const none = { won: '0', lost: '0', conversion: null, at_end: '0', amount: '0' }
    expect(said('sales_funnel', MARCH, 1, none)).to.equal(
      'За март 2026 года выиграно 0 сделок, проиграно 0 сделок, в работе сделок не осталось.',
    )
  })

  it('deals_by_manager tells what was won and lost', () => {
    const fields = { won: '22', won_amount: '548000000', lost: '11', win_rate: '66.7' }
    const of = (other: object) => said('deals_by_manager', APRIL, 4, { ...fields, ...other })
    expect(of({})).to.equal(
      'За апрель 2026 года выиграны 22 сделки на 5 480 000,00 ₽, проиграно 11 сделок, доля выигранных — 66,7 %.',
    )
    expect(of({ won: '1', lost: '1', win_rate: '50.0' })).to.equal(
      'За апрель 2026 года выиграна 1 сделка на 5 480 000,00 ₽, проиграна 1 сделка, доля выигранных — 50 %.',
    )
    expect(of({ won: '5', lost: '2' })).to.match(/выиграно 5 сделок на .*, проиграны 2 сделки,/)
    expect(of({ won: '21', lost: '21' })).to.match(/выиграна 21 сделка на .*, проиграна 21 сделка,/)
    const none = { won: '0', won_amount: '0', lost: '0', win_rate: null }
    expect(of(none)).to.equal('За апрель 2026 года выиграно 0 сделок, проиграно 0 сделок.')
  })

  it('deals_by_source tells which source brought most', () => {
    const fields = { created: '40', won: '2', won_amount: '100', win_rate: '66.7', best: 'Сайт' }
    const of = (other: object) => said('deals_by_source', APRIL, 4, { ...fields, ...other })
    expect(of({})).to.equal(
      'За апрель 2026 года создано 40 сделок, выиграны 2 сделки на 1,00 ₽, доля выигранных — 66,7 %; больше всего принёс источник «Сайт».',
    )
    expect(of({ best: null })).to.match(/доля выигранных — 66,7 %\.$/)
    const none = { created: '0', won: '0', won_amount: '0', win_rate: null, best: null }
    expect(of(none)).to.equal('За апрель 2026 года создано 0 сделок, выиграно 0 сделок.')
    expect(of({ created: '1', won: '1' })).to.match(/создана 1 сделка, выиграна 1 сделка на/)
    expect(of({ created: '2', won: '5' })).to.match(/созданы 2 сделки, выиграно 5 сделок на/)
    expect(of({ created: '21', won: '21' })).to.match(/создана 21 сделка, выиграна 21 сделка на/)
  })

  it('customers_abc tells who brings the money', () => {
    const fields = { sales: '235', customers: '65', revenue: '10000', best_share: '80.2' }
    const of = (other: object) => said('customers_abc', MARCH, 66, { ...fields, ...other })
    expect(of({})).to.equal(
      'За март 2026 года совершено 235 продаж, выручка за вычетом возвратов — 100,00 ₽, покупателей — 65, на класс A приходится 80,2 % выручки.',
    )
    expect(of({ sales: '1', customers: '1', best_share: '100.0' })).to.equal(
      'За март 2026 года совершена 1 продажа, выручка за вычетом возвратов — 100,00 ₽, покупателей — 1, на класс A приходится 100 % выручки.',
    )
    expect(of({ sales: '2' })).to.match(/года совершены 2 продажи, выручка/)
    expect(of({ sales: '5' })).to.match(/года совершено 5 продаж, выручка/)
    expect(of({ sales: '21' })).to.match(/года совершена 21 продажа, выручка/)
    expect(of({ customers: '0' })).to.match(/ — 100,00 ₽, на класс A приходится 80,2 % выручки\.$/)
    const returns = { sales: '0', customers: '0', revenue: '-10000', best_share: null }
    expect(of(returns)).to.equal(
      'За март 2026 года продаж не было, выручка за вычетом возвратов — −100,00 ₽.',
    )
  })

  it('deals tells what has become of the deals', () => {
    const fields = { amount: '900', won: '2', won_amount: '500', lost: '1', open: '1' }
    const of = (count: number, other: object) => said('deals', YEAR, count, { ...fields, ...other })
    expect(of(4, {})).to.equal(
      'За 2026 год созданы 4 сделки на 9,00 ₽, из них выиграны 2 на 5,00 ₽, проиграна 1, в работе — 1.',
    )
    expect(of(1, { won: '0', won_amount: '0', lost: '0' })).to.equal(
      'За 2026 год создана 1 сделка на 9,00 ₽, из них выиграно 0, проиграно 0, в работе — 1.',
    )
    expect(of(1, { won: '1', lost: '0', open: '0' })).to.match(/из них выиграна 1 на 5,00 ₽,/)
    expect(of(5, { won: '5', lost: '2' })).to.match(
      /создано 5 сделок на .*выиграно 5 на .*, проиграны 2,/,
    )
    expect(of(21, { won: '21', lost: '5' })).to.match(
      /создана 21 сделка на .*выиграна 21 на .*, проиграно 5,/,
    )
  })

  it('deals_lost tells how much was lost and why', () => {
    const fields = { deals: '22', amount: '548000000', main_reason: 'Дорого', main_deals: '9' }
    const of = (other: object) => said('deals_lost', MARCH, 8, { ...fields, ...other })
    expect(of({})).to.equal(
      'За март 2026 года потеряны 22 сделки на 5 480 000,00 ₽, самая частая причина — «Дорого» (9 сделок).',
    )
    expect(of({ main_reason: null, main_deals: '0' })).to.equal(
      'За март 2026 года потеряны 22 сделки на 5 480 000,00 ₽.',
    )
    expect(of({ main_reason: null, main_deals: '21' })).to.equal(
      'За март 2026 года потеряны 22 сделки на 5 480 000,00 ₽, чаще всего причина не указана (21 сделка).',
    )
    expect(of({ deals: '1', main_deals: '1' })).to.equal(
      'За март 2026 года потеряна 1 сделка на 5 480 000,00 ₽, причина — «Дорого».',
    )
    expect(of({ deals: '1', main_deals: '1', main_reason: null })).to.match(
      /потеряна 1 сделка на .*, причина не указана\.$/,
    )
    expect(of({ deals: '2', main_deals: '2' })).to.match(/потеряны 2 сделки .* \(2 сделки\)/)
    expect(of({ deals: '5', main_deals: '5' })).to.match(/потеряно 5 сделок .* \(5 сделок\)/)
    expect(of({ deals: '21' })).to.match(/потеряна 21 сделка .* самая частая причина/)
  })
})
