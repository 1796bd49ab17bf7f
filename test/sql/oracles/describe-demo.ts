/** Compares every definition with its oracle over the demo's organizations. */
import type { Client } from 'pg'
import { comparisonsOf } from '../comparison.ts'
import { rawRows } from '../run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import type { OrganizationRows } from './oracle.ts'

/** @param isAsked selects by the names of an organization and a period */
export async function describeDemo(
  isAsked: (organization: string, period: string) => boolean,
): Promise<void> {
  const comparisons = await comparisonsOf(ourCatalog())
  describe('the catalogue, over the demo', function () {
    this.timeout(120_000)
    let client: Client

    before(async () => {
      client = await connectAsReports()
    })

    after(() => client?.end())

    for (const { name, id, timeZone } of DEMO_ORGANIZATIONS) {
      describe(`for ${name}`, () => {
        const asked = questions(Date.now, timeZone).filter(({ name: period }) =>
          isAsked(name, period),
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
}
