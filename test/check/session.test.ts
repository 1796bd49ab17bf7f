// A check leaves its connection as it found it, whatever a definition does to it, and needs nobody to ask for.
import { inspect } from 'node:util'
import { expect } from 'chai'
import type { Client } from 'pg'
import { inTime } from '../../src/author/check/in-time.ts'
import { createReplicaCheck } from '../../src/author/check/on-replica.ts'
import { withSnapshot } from '../../src/author/check/session.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog } from '../sql/subject.ts'
import { goodDefinition, loaded } from './bad-definitions.ts'

const [, STATEMENT = ''] = goodDefinition('accounts').split('---*/')
const GOOD = loaded(STATEMENT)
const BROKEN = loaded(STATEMENT.replace('kopecks', 'kopeks'))
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
    client.on('error', () => {})
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

  /** What a statement in a snapshot fails with. */
  const failure = (by: Client, text: string): Promise<unknown> =>
    withSnapshot(by, session => session.answer({ text, values: [], timeoutMs: 5000 })).then(
      () => undefined,
      (error: unknown) => error,
    )

  it('has its settings again after a definition that runs and one that does not, and no transaction', async () => {
    const before = await settings()
    const ask = await check(ORGANIZATIONS)
    await ask(GOOD)
    await ask(BROKEN)
    expect(await settings()).to.deep.equal(before)
    const { rows } = await client.query('select now() <> statement_timestamp() as is_within')
    expect(rows).to.deep.equal([{ is_within: false }])
  })

  it("keeps the role's own time where it is the shorter", async () => {
    await client.query("set statement_timeout = '50ms'")
    const error = await failure(client, 'select pg_sleep(2)')
    await client.query('reset statement_timeout')
    expect(error).to.include({ code: '57014' })
  })

  it('tells what ended it, and not that there is no way back', async () => {
    const own = await connectAsReports()
    own.on('error', () => {})
    const error = await failure(own, 'select pg_terminate_backend(pg_backend_pid())')
    await own.end()
    expect(error).to.include({ code: '57P01' })
  })

  it('finds what does not prepare where there is nobody to ask for', async () => {
    const ask = await check([])
    expect((await ask(GOOD)).findings).to.deep.equal([])
    const [found] = (await ask(BROKEN)).findings
    expect(found).to.include({ line: 8 })
    expect(found?.message).to.include('opening_balance_kopecks')
  })

  it('waits for an answer no longer than it is told', async () => {
    const own = await connectAsReports()
    own.on('error', () => {})
    const error: unknown = await inTime(own, 50, () => own.query('select pg_sleep(20)')).catch(
      (error: unknown) => error,
    )
    // why: a timer may fire a moment too early, and then the error is the connection's own
    expect(inspect(error)).to.contain('no answer within')
  })
})
