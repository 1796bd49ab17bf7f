// A definition enters each index by the organization, and reads no large table whole. `make bench` counts what it reads
// where the other organizations are ten times as many.
import { expect } from 'chai'
import type { Client } from 'pg'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import { explain } from './explain.ts'

const [{ id, timeZone }] = DEMO_ORGANIZATIONS
/** Of a smaller table any plan is a good one. */
const LARGE_TABLE_PAGES = 50

describe('a definition for the median organization', function () {
  this.timeout(60_000)
  const { reports, metricsFiles } = ourCatalog()
  const asked = questions(Date.now, timeZone).filter(({ name }) =>
    ['this year', 'all years'].includes(name),
  )
  let client: Client
  const large = new Set<string>()

  before(async () => {
    client = await connectAsReports()
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relpages >= ${LARGE_TABLE_PAGES}`,
    )
    for (const { name } of rows) large.add(name)
  })

  after(() => client?.end())

  for (const definition of [...reports.values(), ...metricsFiles.values()]) {
    it(`${definition.name} reads rows of its own`, async () => {
      for (const { name, question } of asked) {
        const { nodes } = await explain(client, definition, id, question)
        const others = nodes.filter(({ type, table, index, conditions }) =>
          index === undefined
            ? type === 'Seq Scan' && large.has(table ?? '')
            : !conditions.some(text => text.includes('organization_id =')),
        )
        const said = others.map(({ type, table, index }) => `${type} of ${table} by ${index}`)
        expect(said, name).to.deep.equal([])
      }
    })
  }
})
