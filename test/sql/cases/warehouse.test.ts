// What the sentences on goods count beside the columns, and rows that the demo's data do not have.
import { expect } from 'chai'
import { planks, product, receipt, receiptOf, shipment, shipped } from './goods.ts'
import { madeForIt, NOVEMBER_21 } from './made-for-it.ts'

const HALF_YEAR = {
  ...NOVEMBER_21,
  period: { start: '2026-01-01', end: '2026-07-01' },
}

describe('over goods made for it', () => {
  const { run, metrics } = madeForIt(HALF_YEAR)
  const warehouses = [{ id: 1, name: 'Склад' }]

  it('stock_turnover tells states apart by the last sale and the days of stock', async () => {
    const sales = shipped([
      shipment(1, 1, '2026-04-01', '1', '500'),
      shipment(2, 2, '2026-04-02', '1', '500'),
      shipment(3, 3, '2026-06-30', '10', '500'),
    ])
    const { rows, totals } = await run('stock_turnover', {
      warehouses,
      products: planks(4),
      ...sales,
      stock_movements: [...planks(4).map(({ id }) => receiptOf(id)), ...sales.stock_movements],
    })
    expect(rows.map(row => [row['product'], row['state'], row['idle_days']])).to.deep.equal([
      ['Доска 4', 'Неликвид', null],
      ['Доска 1', 'Неликвид', '90'],
      ['Доска 2', 'Медленный', '89'],
      ['Доска 3', 'Нет остатка', '0'],
    ])
    expect(totals['dead']).to.equal('2')
    expect(totals['dead_value']).to.equal('1900')
    expect((await metrics('warehouse'))['stock_turnover_days']).to.equal(totals['turnover_days'])
  })

  it('stock_turnover counts stock too small for a row in the days of the whole', async () => {
    const sales = shipped([shipment(1, 1, '2026-06-30', '1', '500')])
    const passing = { product_id: 2, quantity: '1', cost_kopecks: '50' }
    const { rows, totals } = await run('stock_turnover', {
      warehouses,
      products: planks(2),
      ...sales,
      stock_movements: [
        { ...receipt, id: 1, product_id: 1, moved_at: '2026-06-30T08:00:00Z' },
        ...sales.stock_movements,
        { ...receipt, ...passing, id: 3 },
        {
          ...receipt,
          ...passing,
          id: 4,
          kind: 'write_off',
          moved_at: '2026-01-02T09:00:00Z',
          quantity: '-1',
          cost_kopecks: '-50',
        },
      ],
    })
    expect(rows.map(row => row['turnover_days'])).to.deep.equal(['9.0'])
    expect(totals['turnover_days']).to.equal('9.5')
    expect((await metrics('warehouse'))['stock_turnover_days']).to.equal('9.5')
  })

  it('product_sales sorts products into classes by what came before them', async () => {
    const { rows, totals } = await run('product_sales', {
      warehouses,
      products: planks(5),
      ...shipped([
        shipment(1, 1, '2026-01-31', '1', '8000'),
        shipment(2, 2, '2026-02-28', '1', '1500'),
        shipment(3, 3, '2026-03-31', '1', '500'),
        shipment(4, 4, '2026-04-30', '1', '0'),
        shipment(5, 5, '2026-05-31', '1', '700', 'return'),
      ]),
    })
    expect(rows.map(row => [row['abc'], row['share']])).to.deep.equal([
      ['A', '80.0'],
      ['B', '15.0'],
      ['C', '5.0'],
      ['C', '0.0'],
      ['C', '-7.0'],
    ])
    expect(totals['share']).to.equal('93.0')
    expect(totals['products']).to.equal('3')
    expect(totals['a_class']).to.equal('1')
  })

  it('product_sales tells steady sales from others by whole months alone', async () => {
    const months = ['01', '02', '03', '04', '05', '06']
    const sold = (product_id: number, quantities: string[]) =>
      quantities.map((quantity, at) =>
        shipment(product_id * 10 + at, product_id, `2026-${months[at]}-15`, quantity, '100'),
      )
    const { rows } = await run('product_sales', {
      warehouses,
      products: planks(3),
      ...shipped([
        ...sold(1, ['9', '11', '9', '11', '9', '11']),
        ...sold(2, ['3', '5', '3', '5', '3', '5']),
        ...sold(3, ['2', '4', '2', '4', '2', '4']),
      ]),
    })
    expect(rows.map(row => row['xyz'])).to.deep.equal(['X', 'Y', 'Z'])
  })

  it('stock_below_minimum buys at the last price, at the list price, or at none', async () => {
    const short = { ...product, minimum_quantity: '10' }
    const { rows, totals } = await run('stock_below_minimum', {
      warehouses,
      products: [
        { ...short, id: 1, name: 'Получали', purchase_price_kopecks: 999 },
        { ...short, id: 2, name: 'По прайсу', purchase_price_kopecks: 7 },
        { ...short, id: 3, name: 'Без цены' },
        { ...short, id: 4, name: 'В архиве', archived_at: '2026-01-01T09:00:00Z' },
        { ...short, id: 5, name: 'Услуга', kind: 'service' },
        { ...short, id: 6, name: 'Хватает', minimum_quantity: '0' },
      ],
      stock_movements: [
        { ...receipt, id: 1, product_id: 1, quantity: '1', cost_kopecks: '77' },
        { ...receipt, id: 2, product_id: 1, quantity: '3', cost_kopecks: '100' },
      ],
    })
    const figures = rows.map(row => [row['product'], row['shortage'], row['price'], row['amount']])
    expect(figures).to.deep.equal([
      ['Получали', '6.000', '33', '200'],
      ['По прайсу', '10.000', '7', '70'],
      ['Без цены', '10.000', null, null],
    ])
    expect(totals['amount']).to.equal('270')
    expect(totals['without_price']).to.equal('1')
    expect((await metrics('warehouse'))['stock_below_minimum']).to.equal('3')
  })
})
