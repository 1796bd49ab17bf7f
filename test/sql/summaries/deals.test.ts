// The sentences that our reports of deals say, read as a person would read them.
import { expect } from 'chai'
import { MARCH, said } from './said.ts'

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
})
