// The sentences that our reports of the warehouse say, read as a person would read them.
import { expect } from 'chai'
import { MARCH, QUARTER, said, YEAR } from './said.ts'

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

  it('stock_turnover tells how fast stock turns and what does not sell', () => {
    const fields = { value: '94284053', turnover_days: '37.8', dead: '9', dead_value: '10600639' }
    expect(said('stock_turnover', YEAR, 55, fields)).to.equal(
      'На 21 ноября 2026 года запас товаров — 942 840,53 ₽, за 2026 год он оборачивался в среднем за 37,8 дня, неликвид — 9 товаров на 106 006,39 ₽.',
    )
    const none = { value: '0', turnover_days: null, dead: '0', dead_value: '0' }
    expect(said('stock_turnover', MARCH, 3, none)).to.equal(
      'На 31 марта 2026 года запас товаров — 0,00 ₽, неликвида нет.',
    )
  })

  it('stock_turnover agrees with its numbers', () => {
    const days = (turnover_days: string) =>
      said('stock_turnover', MARCH, 3, { value: '0', turnover_days, dead: '0', dead_value: '0' })
        .split(', ')[1]
        ?.replace('за март 2026 года он оборачивался в среднем ', '')
    expect(days('0.0')).to.equal('неликвида нет.')
    expect(days('1.0')).to.equal('за 1 день')
    expect(days('2.0')).to.equal('за 2 дня')
    expect(days('5.0')).to.equal('за 5 дней')
    expect(days('21.0')).to.equal('за 21 день')
    expect(days('1.5')).to.equal('за 1,5 дня')
    expect(days('-1.5')).to.equal('неликвида нет.')

    const dead = (dead: string) =>
      said('stock_turnover', MARCH, 30, {
        value: '0',
        turnover_days: null,
        dead,
        dead_value: '100',
      })
        .split(', ')
        .at(-1)
    expect(dead('1')).to.equal('неликвид — 1 товар на 1,00 ₽.')
    expect(dead('2')).to.equal('неликвид — 2 товара на 1,00 ₽.')
    expect(dead('21')).to.equal('неликвид — 21 товар на 1,00 ₽.')
  })

  it('product_sales tells what sales brought', () => {
    const fields = {
      revenue: '124536199',
      profit: '50536146',
      margin: '40.6',
      products: '31',
      a_class: '13',
    }
    expect(said('product_sales', QUARTER, 32, fields)).to.equal(
      'За период с 1 января по 31 марта 2026 года выручка по 31 товару составила 1 245 361,99 ₽, валовая прибыль — 505 361,46 ₽, рентабельность — 40,6 %, в классе A — 13 товаров.',
    )
    const loss = { revenue: '100', profit: '-31248010', margin: '-312480.1' }
    expect(said('product_sales', MARCH, 5, { ...loss, products: '5', a_class: '1' })).to.equal(
      'За март 2026 года выручка по 5 товарам составила 1,00 ₽, валовой убыток — 312 480,10 ₽, в классе A — 1 товар.',
    )
    const refunds = { revenue: '-100', profit: '0', margin: null, products: '0', a_class: '0' }
    expect(said('product_sales', MARCH, 1, refunds)).to.equal(
      'За март 2026 года выручка составила −1,00 ₽, валовая прибыль — 0,00 ₽.',
    )
  })

  it('product_sales agrees with its numbers', () => {
    const of = (products: string, a_class: string) =>
      said('product_sales', MARCH, 30, {
        revenue: '100',
        profit: '100',
        margin: '100.0',
        products,
        a_class,
      })
        .replace('За март 2026 года выручка ', '')
        .replace(' составила 1,00 ₽, валовая прибыль — 1,00 ₽, рентабельность — 100 %', '')
    expect(of('1', '1')).to.equal('по 1 товару, в классе A — 1 товар.')
    expect(of('2', '2')).to.equal('по 2 товарам, в классе A — 2 товара.')
    expect(of('21', '5')).to.equal('по 21 товару, в классе A — 5 товаров.')
    expect(of('25', '21')).to.equal('по 25 товарам, в классе A — 21 товар.')
  })

  it('stock_below_minimum tells what to buy', () => {
    const fields = { amount: '1830000', without_price: '0' }
    const of = (rowCount: number, without_price = '0') =>
      said('stock_below_minimum', YEAR, rowCount, { ...fields, without_price })
    expect(of(1)).to.equal(
      'На 21 ноября 2026 года ниже минимального остатка 1 товар, на пополнение нужно 18 300,00 ₽.',
    )
    const goods = (rowCount: number) => /остатка (.*), на/.exec(of(rowCount))?.[1]
    expect([2, 5, 21].map(goods)).to.deep.equal(['2 товара', '5 товаров', '21 товар'])
    const price = (count: string) => /₽(.*)$/.exec(of(30, count))?.[1]
    expect(price('1')).to.equal(', цена 1 товара неизвестна.')
    expect(price('2')).to.equal(', цены 2 товаров неизвестны.')
    expect(price('21')).to.equal(', цена 21 товара неизвестна.')
  })
})
