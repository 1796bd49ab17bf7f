// Every report of the product, in every format: the same rows, and one run for all of them.
import { expect } from 'chai'
import type { Column } from '../../src/model/terms.ts'
import { expectedValue, READERS } from '../formats/in-each-format.ts'
import type { Value } from '../formats/in-each-format.ts'
import { ourCatalog } from '../sql/subject.ts'
import type { TestGateway } from '../harness/in-process-gateway.ts'
import { gatewayOf, seededProduct } from '../harness/seeded-product.ts'
import { PATHS_OF_READERS } from './gateways.ts'

interface Answer {
  readonly columns: readonly Column[]
  readonly rows: ReadonlyArray<Readonly<Record<string, Value>>>
}

describe('the formats of every report', () => {
  const product = seededProduct()
  let gateway: TestGateway
  let key = ''

  before(async function () {
    this.timeout(120_000)
    const seeded = await product()
    key = seeded.named['ten thousand'].keys[0] ?? ''
    gateway = await gatewayOf(seeded)
  })
  after(() => gateway?.stop())

  async function fetched(path: string): Promise<Buffer> {
    const url = `${gateway.url}/api/public/v1/reports/${path}`
    const response = await fetch(url, { headers: { 'X-Api-Key': key } })
    expect(response.status, path).to.equal(200)
    return Buffer.from(await response.arrayBuffer())
  }

  for (const code of ourCatalog().reports.keys()) {
    it(`have the same rows: ${code}`, async () => {
      const { columns, rows } = JSON.parse((await fetched(code)).toString()) as Answer
      expect(rows).to.not.have.length(0)
      for (const [format, path] of Object.entries(PATHS_OF_READERS)) {
        const expected = rows.map(row =>
          columns.map(({ key, type }) => expectedValue(row[key]!, type, format)),
        )
        const found = await READERS[format]!(await fetched(`${code}${path}`), columns)
        expect(found, format).to.have.length(expected.length)
        const wrong = found.findIndex((row, at) => String(row) !== String(expected[at]))
        expect([format, found[wrong]]).to.deep.equal([format, expected[wrong]])
      }
      const runs = gateway.observations.filter(
        fact => fact.kind === 'run' && fact.definition === code,
      )
      expect(runs).to.have.length(1)
    })
  }
})
