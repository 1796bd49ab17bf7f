import { expect } from 'chai'
import type { PoolName } from '../../src/model/observation.ts'
import { createPool } from '../../src/serve/database/pool.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { until } from '../harness/until.ts'

const GUARDS = {
  default_transaction_read_only: 'on',
  client_connection_check_interval: '100ms',
  lock_timeout: '1s',
}
const CEILING = { statement_timeout: '2min' }

describe('a new connection of a pool', () => {
  // why: the limit is for a gateway whose host fails without closing connections
  for (const [name, options, expected] of [
    ['reports', '', { ...GUARDS, ...CEILING }],
    ['reports', '-c statement_timeout=3s', { statement_timeout: '3s' }],
    ['reports', '-c statement_timeout=1h', CEILING],
    ['keys', '', GUARDS],
    ['probe', '', GUARDS],
  ] satisfies Array<[PoolName, string, Record<string, string>]>) {
    it(`of ${name} ${options} has ${JSON.stringify(expected)}`, async () => {
      const url = new URL((await sharedCluster()).replicaUrl)
      if (options !== '') url.searchParams.set('options', options)
      const connectionString = url.href
      const common = { name, connectionString, connectTimeoutMs: 5000, observe: () => {} }
      const pool = createPool({ ...common, max: 1 })
      const { rows } = await pool.withSession(client =>
        client.query<{ name: string; value: string }>(
          'select name, current_setting(name) as value from pg_settings',
        ),
      )
      await pool.end()
      expect(Object.fromEntries(rows.map(row => [row.name, row.value]))).to.include(expected)
    })
  }
})

describe('a pool of two', () => {
  it('counts a new session as idle if the query that it was made for has got another one', async () => {
    const connectionString = (await sharedCluster()).replicaUrl
    const common = { name: 'reports', connectionString, connectTimeoutMs: 5000 } as const
    const pool = createPool({ ...common, observe: () => {}, max: 2 })
    const first = await pool.connect()
    const second = pool.connect()
    first.giveBack()
    expect(await second).to.equal(first)
    await until(() => pool.use().idle === 1)
    expect(pool.use()).to.deep.equal({ inUse: 1, idle: 1, waiting: 0, max: 2 })
    first.giveBack()
    pool.dropIdle()
    await until(() => pool.count() === 0)
    await pool.end()
  })
})
