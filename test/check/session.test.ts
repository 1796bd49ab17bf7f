// A check leaves its connection as it found it, whatever a definition does to it, and needs nobody to ask for.
import { expect } from 'chai'
import type { Client } from 'pg'
import { createReplicaCheck } from '../../src/check/on-replica.ts'
import { withSnapshot } from '../../src/check/session.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog } from '../sql/subject.ts'
import { planted } from './planted.ts'

const GOOD = planted({
  sql: `
select accounts.id::text as name, accounts.opening_balance_kopecks as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
order by accounts.id`,
})
const BROKEN = planted({
  sql: `
select accounts.id::text as name, accounts.opening_balance_kopeks as amount
from accounts
where accounts.organization_id = :organization_id
order by accounts.id`,
})
const ORGANIZATIONS = DEMO_ORGANIZATIONS.map(({ id, timeZone }) => ({
  id,
  timeZone,
  idType: 'uuid',
  entitled: true,
}))

describe('the session of a check', () => {
  let client: Client

  before(async function () {
    this.timeout(30_000)
    client = await connectAsReports()
  })
  after(() => client?.end())

  const check = (organizations: typeof ORGANIZATIONS) =>
    createReplicaCheck({ client, organizations, catalog: ourCatalog(), now: Date.now })

  async function settings(): Promise<unknown> {
    const { rows } = await client.query(
      "select name, setting from pg_settings where name ~ 'enable_|timeout|^TimeZone' order by name",
    )
    return rows
  }

  it('has its settings again after a definition that runs and one that does not', async () => {
    const before = await settings()
    const ask = await check(ORGANIZATIONS)
    await ask(GOOD)
    await ask(BROKEN)
    expect(await settings()).to.deep.equal(before)
  })

  it('is in no transaction any more', async () => {
    const ask = await check(ORGANIZATIONS)
    await ask(BROKEN)
    const { rows } = await client.query('select now() <> statement_timestamp() as is_within')
    expect(rows).to.deep.equal([{ is_within: false }])
  })

  it("keeps the role's own time where it is the shorter", async () => {
    await client.query("set statement_timeout = '50ms'")
    const slow = { text: 'select pg_sleep(2)', values: [], timeoutMs: 5000 }
    const error = await withSnapshot(client, session => session.answer(slow)).catch(
      (error: unknown) => error,
    )
    await client.query('reset statement_timeout')
    expect(error).to.include({ code: '57014' })
  })

  it('tells what ended it, and not that there is no way back', async () => {
    const own = await connectAsReports()
    own.on('error', () => {})
    const end = {
      text: 'select pg_terminate_backend(pg_backend_pid())',
      values: [],
      timeoutMs: 5000,
    }
    const error = await withSnapshot(own, session => session.answer(end)).catch(
      (error: unknown) => error,
    )
    await own.end()
    expect(error).to.include({ code: '57P01' })
  })

  it('finds what does not prepare where there is nobody to ask for', async () => {
    const ask = await check([])
    expect((await ask(GOOD)).findings).to.deep.equal([])
    const [found] = (await ask(BROKEN)).findings
    expect(found).to.include({ line: 12 })
    expect(found?.message).to.include('opening_balance_kopecks')
  })
})
