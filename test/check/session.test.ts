// A check restores the settings of its connection, and works without organizations.
import { inspect } from 'node:util'
import { expect } from 'chai'
import type { Client } from 'pg'
import { within } from '../../src/serve/replica/connection.ts'
import { createReplicaCheck } from '../../src/author/check/on-replica.ts'
import { withSnapshot } from '../../src/author/check/session.ts'
import { hintsOf } from '../../src/author/tenancy/tenancy-hints.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { connectAsReports, DEMO_ORGANIZATIONS } from '../sql/subject.ts'
import { definitionDraft } from './definition-draft.ts'
import { goodDefinition, loaded } from './bad-definitions.ts'

const [, STATEMENT = ''] = goodDefinition('accounts').split('---*/')
const GOOD = await loaded(STATEMENT)
const BROKEN = await loaded(STATEMENT.replace('kopecks', 'kopeks'))
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
    createReplicaCheck({
      client,
      organizations,
      hints: hintsOf([]),
      parse: parseSql,
      now: Date.now,
    })

  async function settings(): Promise<unknown> {
    const { rows } = await client.query(
      "select name, setting from pg_settings where name ~ 'enable_|timeout|^TimeZone' order by name",
    )
    return rows
  }

  /** The error of a statement in a snapshot. */
  const failure = (by: Client, text: string): Promise<unknown> =>
    withSnapshot(by, session => session.query({ text, values: [], timeoutMs: 5000 })).then(
      () => undefined,
      (error: unknown) => error,
    )

  it('restores settings and ends its transaction after a definition that executes and one that fails', async () => {
    const before = await settings()
    const ask = await check(ORGANIZATIONS)
    await ask(GOOD, await definitionDraft(GOOD))
    await ask(BROKEN, await definitionDraft(BROKEN))
    expect(await settings()).to.deep.equal(before)
    const { rows } = await client.query('select now() <> statement_timestamp() as is_within')
    expect(rows).to.deep.equal([{ is_within: false }])
  })

  it("applies the role's statement_timeout if it is shorter", async () => {
    await client.query("set statement_timeout = '50ms'")
    const error = await failure(client, 'select pg_sleep(2)')
    await client.query('reset statement_timeout')
    expect(error).to.include({ code: '57014' })
  })

  it('throws the error of the statement, not that of the rollback', async () => {
    const own = await connectAsReports()
    own.on('error', () => {})
    const error = await failure(own, 'select pg_terminate_backend(pg_backend_pid())')
    await own.end()
    expect(error).to.include({ code: '57P01' })
  })

  it('finds a statement that does not prepare without organizations', async () => {
    const ask = await check([])
    expect((await ask(GOOD, await definitionDraft(GOOD))).findings).to.deep.equal([])
    const [found] = (await ask(BROKEN, await definitionDraft(BROKEN))).findings
    expect(found).to.include({ line: 9 })
    expect(found?.message).to.include('opening_balance_kopecks')
  })

  it('waits for a response no longer than its timeout', async () => {
    const own = await connectAsReports()
    own.on('error', () => {})
    const error: unknown = await within(50, own, () => own.query('select pg_sleep(20)')).catch(
      (error: unknown) => error,
    )
    // why: if the timer fires early, the error is that of the connection
    expect(inspect(error)).to.contain('no response within')
  })
})
