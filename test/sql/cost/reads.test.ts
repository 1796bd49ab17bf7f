// A definition uses the organization in each index condition, and has no sequential scan of a large table.
import { expect } from 'chai'
import type { Client } from 'pg'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import { explain } from './explain.ts'

const [{ id, timeZone }] = DEMO_ORGANIZATIONS
/** For smaller tables any plan is good. */
const LARGE_TABLE_PAGES = 50

describe('a definition for the median organization', () => {
  const { reports, metricsFiles } = ourCatalog()
  const requests = questions(Date.now, timeZone).filter(({ name }) =>
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
    it(`${definition.name} reads only its organization's rows`, async () => {
      for (const { name, question } of requests) {
        const { nodes } = await explain(client, definition, id, question)
        const others = nodes.filter(({ type, table, index, details }) =>
          index === undefined
            ? type === 'Seq Scan' && large.has(table ?? '')
            : !details.some(({ text }) => text.includes('organization_id =')),
        )
        const scans = others.map(({ type, table, index }) => `${type} of ${table} by ${index}`)
        expect(scans, name).to.deep.equal([])
      }
    })
  }
})
