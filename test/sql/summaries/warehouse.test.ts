// The sentences that our reports of the warehouse say, read as a person would read them.
import { expect } from 'chai'
import { MARCH, said } from './said.ts'

describe('the sentence of', () => {
  it('stock_balance tells what lies where', () => {
    const fields = {
      warehouses: '2',
      products: '21',
      value: '100',
      in_value: '200',
      out_value: '300',
    }
    expect(said('stock_balance', MARCH, 30, fields)).to.equal(
      'На 31 марта 2026 года на 2 складах лежит 21 товар на 1,00 ₽, за март 2026 года приход составил 2,00 ₽, расход — 3,00 ₽.',
    )
    const began = (products: string) =>
      said('stock_balance', MARCH, 30, { ...fields, warehouses: '1', products }).split(
        ' на 1,00',
      )[0]
    expect(began('2')).to.equal('На 31 марта 2026 года на 1 складе лежат 2 товара')
    expect(began('5')).to.equal('На 31 марта 2026 года на 1 складе лежит 5 товаров')
    expect(
      said('stock_balance', MARCH, 30, { ...fields, warehouses: '0', products: '0' }),
    ).to.equal(
      'На 31 марта 2026 года на складах пусто, за март 2026 года приход составил 2,00 ₽, расход — 3,00 ₽.',
    )
  })
})
