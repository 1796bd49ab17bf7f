// The identities of the catalogue, over the demo's organizations.
import type { Client } from 'pg'
import { asker } from '../ask.ts'
import type { Ask } from '../ask.ts'
import type { OrganizationRows } from '../oracles/oracle.ts'
import { rawRows } from '../run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import { IDENTITIES } from './all.ts'

const catalog = ourCatalog()

describe('identities between reports and metrics', function () {
  this.timeout(120_000)
  let client: Client

  before(async () => {
    client = await connectAsReports()
  })

  after(() => client.end())

  for (const organization of DEMO_ORGANIZATIONS) {
    describe(`for ${organization.name}`, () => {
      const asked = questions(Date.now, organization.timeZone)
      let ask: Ask
      let rows: OrganizationRows

      before(async () => {
        ask = asker(client, catalog, organization.id)
        rows = await rawRows(client, organization.id)
      })

      for (const { name, holds, check } of IDENTITIES) {
        it(name, async () => {
          for (const { name: period, question } of asked) {
            if (holds !== undefined && !holds(rows, question)) continue
            try {
              await check(ask, question, rows)
            } catch (error) {
              const said = error instanceof Error ? error.message : String(error)
              throw new Error(`over ${period}: ${said}`, { cause: error })
            }
          }
        })
      }
    })
  }
})
