// What the sentence of customers_abc counts beside the columns, and rows that the demo's data do not have.
import { expect } from 'chai'
import { madeForIt, MAY } from './made-for-it.ts'

describe('customers of an organization made for it', () => {
  const { run } = madeForIt(MAY)

  const counterparties = [1, 2, 3, 4].map(id => ({
    id,
    name: id < 3 ? 'ООО «Лидер»' : `Лидер ${id}`,
  }))
  const products = [{ id: 1, name: 'Доска', unit: 'шт', kind: 'goods' }]
  const sale = { kind: 'sale', status: 'posted', shipped_at: '2026-05-10T09:00:00Z' }
  const line = { product_id: 1, quantity: '1' }

  it('customers_abc counts two customers of one name, and nobody as none', async () => {
    const { rows, totals } = await run('customers_abc', {
      counterparties,
      products,
      sales: [
        { ...sale, id: 1, counterparty_id: 1 },
        { ...sale, id: 2, counterparty_id: 2 },
        { ...sale, id: 3, counterparty_id: null },
      ],
      sale_lines: [
        { ...line, id: 1, sale_id: 1, amount_kopecks: '500' },
        { ...line, id: 2, sale_id: 2, amount_kopecks: '150' },
        { ...line, id: 3, sale_id: 3, amount_kopecks: '350' },
      ],
    })
    expect(rows.map(row => [row['customer'], row['class']])).to.deep.equal([
      ['ООО «Лидер»', 'A'],
      ['Без контрагента', 'A'],
      ['ООО «Лидер»', 'B'],
    ])
    expect(totals['customers']).to.equal('2')
    expect(totals['best_share']).to.equal('85.0')
  })

  it('customers_abc has returns alone, and neither documents without lines nor drafts', async () => {
    const { rows, totals } = await run('customers_abc', {
      counterparties,
      products,
      sales: [
        { ...sale, id: 1, counterparty_id: 1 },
        { ...sale, id: 2, counterparty_id: 3, kind: 'return' },
        { ...sale, id: 3, counterparty_id: 4, kind: 'return' },
        { ...sale, id: 4, counterparty_id: 4, status: 'draft' },
      ],
      sale_lines: [
        { ...line, id: 1, sale_id: 2, amount_kopecks: '9223372036854775807' },
        { ...line, id: 2, sale_id: 2, amount_kopecks: '9223372036854775807' },
        { ...line, id: 3, sale_id: 4, amount_kopecks: '700' },
      ],
    })
    const told = rows.map(row => [row['customer'], row['sales'], row['revenue'], row['share']])
    expect(told).to.deep.equal([['Лидер 3', '0', '-18446744073709551614', null]])
    expect(rows.map(row => row['class'])).to.deep.equal(['C'])
    expect(totals['customers']).to.equal('0')
    expect([totals['share'], totals['best_share']]).to.deep.equal([null, null])
  })
})
