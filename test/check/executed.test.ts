// The corpus on a product of its own: what the catalog, an execution or an experiment shows.
import { expect } from 'chai'
import { productSql } from '../harness/fixtures.ts'
import { corpus, findingsIn } from './corpus.ts'
import { useProduct } from './use-product.ts'

const TENANCY = `
shops: id
days: shop_id
customers: shop_id
invoices: shop_id
sales: shop_id
lines: via sales (sale_id = id)
payments: via sales (sale_id = id)
sold_everywhere(): shared
customers_of(): shared
`

describe('experiments', () => {
  const product = useProduct({
    database: 'svodka_shop',
    schema: productSql('shop'),
    tenancy: TENANCY,
    ids: ['1'],
    idType: 'integer',
  })

  for (const { name, text, marks } of corpus('executed')) {
    it(name, async () => {
      const findings = await findingsIn(text, await product.createCheck(), TENANCY)
      const found = findings.map(({ line, id }) => `${line}: ${id}`)
      const shown = findings.map(({ message }) => message).join('\n')
      expect(found, shown).to.deep.equal(marks('expect'))
    })
  }
})
