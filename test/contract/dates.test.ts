// Dates of PostgreSQL outside the supported range are null in every format.
import { expect } from 'chai'
import type { Column } from '../../src/model/terms.ts'
import { expectedValue, READERS, type Value } from '../formats/format-readers.ts'
import { fixtures } from '../harness/fixtures.ts'
import { startGateway, type TestGateway } from '../harness/in-process-gateway.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { PATHS_OF_READERS, shopsFolder } from './gateways.ts'

describe('dates outside the years 0001-9999', () => {
  let gateway: TestGateway
  let json: {
    readonly columns: readonly Column[]
    readonly rows: ReadonlyArray<Readonly<Record<string, Value>>>
    readonly totals: Readonly<Record<string, Value>>
    readonly summary: string
  }

  before(async () => {
    const SQL_DIR = shopsFolder(fixtures('reports/sales/dates'))
    gateway = await startGateway({ ...shopsEnvironment(await sharedShops()), SQL_DIR })
    await gateway.ready()
  })
  after(() => gateway?.stop())

  async function fetchBody(path: string, headers: Record<string, string> = {}): Promise<Buffer> {
    const url = `${gateway.url}/api/public/v1/reports/${path}`
    const response = await fetch(url, { headers: { 'X-Api-Key': 'key of shop 1', ...headers } })
    const body = Buffer.from(await response.arrayBuffer())
    expect(response.status, `${path} ${response.status === 200 ? '' : body.toString()}`).to.equal(
      200,
    )
    return body
  }

  it('are null in JSON, and other dates are not', async () => {
    json = JSON.parse((await fetchBody('dates')).toString())
    expect(json.rows).to.deep.equal([
      { name: '1 known', day: '2026-03-31', month: '2026-03', at: '2026-03-31T13:00:00.5+03:00' },
      { name: '2 first', day: '0001-01-01', month: '0001-01', at: '0001-01-01T02:30:00+02:30' },
      { name: '3 last', day: '9999-12-31', month: '9999-12', at: '9999-12-31T23:59:59+03:00' },
      ...['4 bc', '5 far', '6 infinity', '7 -infinity', '8 local', '9 null'].map(name => {
        return { name, day: null, month: null, at: null }
      }),
    ])
  })

  it('are null in totals, and a dash in the summary', () => {
    expect(json.totals).to.deep.equal({ name: 'Итого', day: null, month: null, at: null })
    expect(json.summary).to.match(/строк 9, последняя —\.$/)
  })

  for (const [format, path] of Object.entries(PATHS_OF_READERS)) {
    for (const cached of [true, false]) {
      it(`are null in ${format} ${cached ? 'from the cached response' : 'from an execution'}`, async () => {
        const headers: Record<string, string> = cached ? {} : { 'Cache-Control': 'no-cache' }
        const body = await fetchBody(`dates${path}`, headers)
        const expected = json.rows.map(row =>
          json.columns.map(({ key, type }) => expectedValue(row[key]!, type, format)),
        )
        expect(await READERS[format]!(body, json.columns)).to.deep.equal(expected)
      })
    }
  }

  it('are observed once per execution and column', async () => {
    const from = gateway.observations.length
    await fetchBody('dates', { 'Cache-Control': 'no-cache' })
    const facts = gateway.observations.slice(from).filter(({ kind }) => kind === 'values-nulled')
    const expected = { kind: 'values-nulled', definition: 'dates' }
    // why: four rows and the total; the fact only in the total; one more instant outside the local range
    expect(facts).to.have.deep.members([
      { ...expected, column: 'day', valueCount: 5 },
      { ...expected, column: 'month', valueCount: 5 },
      { ...expected, column: 'at', valueCount: 6 },
      { ...expected, column: 'last', valueCount: 1 },
    ])
  })
})
