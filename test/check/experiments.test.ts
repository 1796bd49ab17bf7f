// Definitions of `corpus/executed`, whose comments name what an execution or an experiment shows; `right-*` have no finding.
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { productSql } from '../harness/fixtures.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { folderOf } from './bad-definitions.ts'
import { marked } from './corpus-marks.ts'
import { definitionDraft } from './definition-draft.ts'
import { useProduct } from './use-product.ts'

const TENANCY = `
customers: shop_id
sales: shop_id
lines: via sales (sale_id = id)
`

describe('experiments', () => {
  const product = useProduct({
    database: 'svodka_shop',
    schema: productSql('shop'),
    tenancy: TENANCY,
    ids: ['1'],
    idType: 'integer',
  })

  for (const name of readdirSync('test/check/corpus/executed')) {
    it(name, async () => {
      const text = readFileSync(`test/check/corpus/executed/${name}`, 'utf8')
      const folder = folderOf({ 'reports/a/example.sql': text }, TENANCY)
      const definition = (await loadCatalog(folder, parseSql)).reports.get('example')!
      const check = await product.createCheck()
      const { findings } = await check(definition, await definitionDraft(definition))
      const found = findings.map(({ line, id }) => `${line}: ${id}`)
      expect(found, findings.map(({ message }) => message).join('\n')).to.deep.equal(
        marked(text, 'expect'),
      )
    })
  }
})
