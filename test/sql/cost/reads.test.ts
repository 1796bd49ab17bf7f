// A definition uses the organization in each index condition, and has no sequential scan of a large table.
import { expect } from 'chai'
import type { Client } from 'pg'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import { explain } from './explain.ts'

/** A node as EXPLAIN prints it. */
interface PlanFields {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanFields[]
}

function fieldsBelow({ Plans = [], ...fields }: PlanFields): PlanFields[] {
  return [fields, ...Plans.flatMap(fieldsBelow)]
}

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
        const { raw } = await explain(client, definition, id, question)
        const [{ Plan: root }] = raw as [{ Plan: PlanFields }]
        const others = fieldsBelow(root).filter(fields =>
          fields['Index Name'] === undefined
            ? fields['Node Type'] === 'Seq Scan' && large.has(fields['Relation Name'] ?? '')
            : !Object.values(fields).some(text => String(text).includes('organization_id =')),
        )
        const scans = others.map(
          fields =>
            `${fields['Node Type']} of ${fields['Relation Name']} by ${fields['Index Name']}`,
        )
        expect(scans, name).to.deep.equal([])
      }
    })
  }
})
