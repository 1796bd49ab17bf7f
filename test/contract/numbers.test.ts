// Numerics that JSON or a file cannot hold are null in every format, and whole ones with decimals are whole.
import { expect } from 'chai'
import type { Column } from '../../src/model/terms.ts'
import { expectedValue, READERS } from '../formats/format-readers.ts'
import { fixtures } from '../harness/fixtures.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { PATHS_OF_READERS, PREFIX, shopsFolder } from './gateways.ts'

describe('numerics of PostgreSQL', () => {
  const SQL_DIR = shopsFolder(fixtures('reports/sales/numbers', 'metrics/odd'))
  const world = shopsGateway({ SQL_DIR })

  it('are null if they are NaN or infinite, and whole if their decimals are zeros', async () => {
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

  for (const [format, path] of Object.entries(PATHS_OF_READERS)) {
    it(`are the same in ${format}`, async () => {
      const { columns, rows } = (await world.ask('/reports/numbers')).json
      const response = await fetch(`${world.gateway.url}${PREFIX}/reports/numbers${path}`, {
        headers: { 'X-Api-Key': 'key of shop 1' },
      })
      expect(response.status).to.equal(200)
      const read = await READERS[format]!(Buffer.from(await response.arrayBuffer()), columns)
      const expected = rows.map((row: Record<string, never>) =>
        columns.map(({ key, type }: Column) => expectedValue(row[key]!, type, format)),
      )
      const digits = (values: unknown) =>
        JSON.stringify(values, (_, value: unknown) =>
          typeof value === 'number' ? Number(value.toFixed(6)) : value,
        )
      expect(digits(read)).to.equal(digits(expected))
    })
  }

  it('are null in metrics, and observed once per execution and column', async () => {
    const from = world.gateway.observations.length
    const headers = { 'Cache-Control': 'no-cache' }
    const { json } = await world.ask('/metrics?codes=nan,endless,whole', { headers })
    expect(json.metrics.map(({ value }: { value: unknown }) => value)).to.deep.equal([
      null,
      null,
      200185,
    ])
    await world.ask('/reports/numbers', { headers })
    const facts = world.gateway.observations
      .slice(from)
      .filter(({ kind }) => kind === 'values-nulled')
    const nulled = (definition: string, column: string, valueCount: number) => {
      return { kind: 'values-nulled', definition, column, valueCount }
    }
    expect(facts).to.have.deep.members([
      nulled('metrics/odd', 'nan', 1),
      nulled('metrics/odd', 'endless', 1),
      nulled('numbers', 'rate', 3),
      nulled('numbers', 'size', 3),
    ])
  })
})
