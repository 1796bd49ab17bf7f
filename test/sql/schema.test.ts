// Rows that the product's schema rejects, so that definitions need not handle them, and privileges of its roles.
import { expect } from 'chai'
import type { Client } from 'pg'
import { connectAsOwner, connectAsReports, DEMO_ORGANIZATIONS } from './subject.ts'

const [{ id: organizationId }] = DEMO_ORGANIZATIONS

describe('the product', () => {
  let owner: Client
  let reports: Client

  before(async () => {
    owner = await connectAsOwner()
    reports = await connectAsReports()
  })

  after(() => Promise.all([owner?.end(), reports?.end()]))

  /** The code of the error that a statement ends with. */
  async function refusal(client: Client, text: string, ...values: string[]): Promise<unknown> {
    await client.query('begin')
    try {
      await client.query(text, values)
      return undefined
    } catch (error) {
      return Object(error).code
    } finally {
      await client.query('rollback')
    }
  }

  const CHECK_VIOLATION = '23514'
  const NO_PRIVILEGE = '42501'

  const OPERATION = `insert into operations (organization_id, kind, status, operation_date, amount_kopecks)
    values ($1, 'expense', 'posted', '2026-01-01', $2)`
  const TASK = `insert into tasks (organization_id, title, created_at, completed_at)
    values ($1, 'Задача', '2026-01-02T00:00:00Z', $2)`
  for (const [what, insert, refused, taken] of [
    ['an amount that is 0', OPERATION, '0', '1'],
    ['an amount without negation', OPERATION, '-9223372036854775808', '-9223372036854775807'],
    ['a task done before it is made', TASK, '2026-01-01T23:59:59Z', '2026-01-02T00:00:00Z'],
    [
      'a task cancelled before it is made',
      TASK.replace('completed', 'cancelled'),
      '2026-01-01T23:59:59Z',
      '2026-01-02T00:00:00Z',
    ],
  ] as const) {
    it(`rejects ${what}`, async () => {
      expect(await refusal(owner, insert, organizationId, refused)).to.equal(CHECK_VIOLATION)
      expect(await refusal(owner, insert, organizationId, taken)).to.equal(undefined)
    })
  }

  it('hides keys and organizations from the reports role', async () => {
    for (const table of ['api_keys', 'organizations']) {
      expect(await refusal(reports, `select from ${table}`), table).to.equal(NO_PRIVILEGE)
    }
  })
})
