// Every definition and its oracle over the demo, on the standby as in production: two of its organizations, which have
// many rows unlike generated ones. The proof has all organizations and periods.
import type { Client } from 'pg'
import { IS_PROOF } from '../../harness/is-proof.ts'
import { comparisonsOf } from '../comparison.ts'
import { rawRows } from '../run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import type { OrganizationRows } from './oracle.ts'

const ORGANIZATIONS = new Set(['the one in Vladivostok', 'the empty one'])
const PERIODS = new Set(['this year', 'a month', 'days on both sides of today'])

const organizations = DEMO_ORGANIZATIONS.filter(({ name }) => IS_PROOF || ORGANIZATIONS.has(name))
const comparisons = await comparisonsOf(ourCatalog())
describe('the catalogue, over the demo', function () {
  this.timeout(120_000)
  let client: Client

  before(async () => {
    client = await connectAsReports()
  })

  after(() => client?.end())

  for (const { name, id, timeZone } of organizations) {
    describe(`for ${name}`, () => {
      const asked = questions(Date.now, timeZone).filter(
        ({ name: period }) => IS_PROOF || PERIODS.has(period),
      )
      let rows: OrganizationRows

      before(async () => {
        rows = await rawRows(client, id)
      })

      for (const { name: definition, compare } of comparisons) {
        for (const { name: period, question } of asked) {
          it(`${definition} agrees with its oracle over ${period}`, () =>
            compare(client, { organizationId: id, question, rows }))
        }
      }
    })
  }
})
