// Numbers and dates of PostgreSQL that a format cannot hold are null in every format.
import { expect } from 'chai'
import type { Column } from '../../src/model/terms.ts'
import { expectedValue, READERS } from '../formats/format-readers.ts'
import { rawAsker } from '../harness/ask.ts'
import { fixtures } from '../harness/fixtures.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { PATHS_OF_READERS, PREFIX, shopsFolder } from './gateways.ts'

const NO_CACHE = { 'Cache-Control': 'no-cache' }

describe('a value that JSON or a file cannot hold', () => {
  const SQL_DIR = shopsFolder(
    fixtures('reports/sales/numbers', 'reports/sales/dates', 'metrics/odd'),
  )
  const world = shopsGateway({ SQL_DIR })

  it('is null if it is NaN or infinite, and whole if its decimals are zeros', async () => {
    const { json } = await world.ask('/reports/numbers')
    expect(json.rows.map((row: object) => Object.values(row).slice(1))).to.deep.equal([
      [33.333333333333336, 0.5, 200185, 3],
      [0, 100, 0, 10],
      [null, null, 100, 2000],
      [null, null, 0, -7],
      [null, null, null, null],
    ])
    expect(Object.values(json.totals).slice(1)).to.deep.equal([null, null, 200285, 2006])
    expect(json.summary).to.match(/сумма 2.002,85.₽, число 2.006, доля —\.$/)
  })

  it('is null if it is a date outside the years 0001-9999, also in totals; a dash in the summary', async () => {
    const { json } = await world.ask('/reports/dates')
    expect(json.rows).to.deep.equal([
      { name: '1 known', day: '2026-03-31', month: '2026-03', at: '2026-03-31T13:00:00.5+03:00' },
      { name: '2 first', day: '0001-01-01', month: '0001-01', at: '0001-01-01T02:30:00+02:30' },
      { name: '3 last', day: '9999-12-31', month: '9999-12', at: '9999-12-31T23:59:59+03:00' },
      ...['4 bc', '5 far', '6 infinity', '7 -infinity', '8 local', '9 null'].map(name => {
        return { name, day: null, month: null, at: null }
      }),
    ])
    expect(json.totals).to.deep.equal({ name: 'Итого', day: null, month: null, at: null })
    expect(json.summary).to.match(/строк 9, последняя —\.$/)
  })

  for (const [format, path] of Object.entries(PATHS_OF_READERS)) {
    it(`is the same in ${format}, from an execution and from the cached response`, async () => {
      for (const code of ['numbers', 'dates']) {
        const { columns, rows } = (await world.ask(`/reports/${code}`)).json
        const expected = rows.map((row: Record<string, never>) =>
          columns.map(({ key, type }: Column) => expectedValue(row[key]!, type, format)),
        )
        const digits = (values: unknown) =>
          JSON.stringify(values, (_, value: unknown) =>
            typeof value === 'number' ? Number(value.toFixed(6)) : value,
          )
        for (const headers of [NO_CACHE, {}]) {
          const ask = rawAsker(world.gateway.url)
          const key = { 'X-Api-Key': 'key of shop 1' }
          const { bytes } = await ask(`${PREFIX}/reports/${code}${path}`, { ...key, ...headers })
          expect(digits(await READERS[format]!(bytes, columns)), code).to.equal(digits(expected))
        }
      }
    })
  }

  it('is null in metrics, and observed once per execution and column', async () => {
    const from = world.gateway.observations.length
    const { json } = await world.ask('/metrics?codes=nan,endless,whole', { headers: NO_CACHE })
    const values = json.metrics.map(({ value }: { value: unknown }) => value)
    expect(values).to.deep.equal([null, null, 200185])
    for (const code of ['numbers', 'dates'])
      await world.ask(`/reports/${code}`, { headers: NO_CACHE })
    const observations = world.gateway.observations.slice(from)
    const facts = observations.filter(({ kind }) => kind === 'values-nulled')
    const nulled = (definition: string, column: string, valueCount: number) => {
      return { kind: 'values-nulled', definition, column, valueCount }
    }
    expect(facts).to.have.deep.members([
      nulled('metrics/odd', 'nan', 1),
      nulled('metrics/odd', 'endless', 1),
      nulled('numbers', 'rate', 3),
      nulled('numbers', 'size', 3),
      // why: four rows and the total; one more instant outside the local range; the fact only in the total
      nulled('dates', 'day', 5),
      nulled('dates', 'month', 5),
      nulled('dates', 'at', 6),
      nulled('dates', 'last', 1),
    ])
  })
})
