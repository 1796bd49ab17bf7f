import { expect } from 'chai'
import type { PoolName } from '../../src/observation.ts'
import { createPool } from '../../src/replica/pool.ts'
import type { Prepared } from '../../src/replica/session-settings.ts'
import { sharedCluster } from '../support/cluster.ts'

describe('a new connection of a pool', () => {
  let replicaUrl: string

  before(async function () {
    this.timeout(30_000)
    replicaUrl = (await sharedCluster()).replicaUrl
  })

  /** What it is set to before anything is asked on it. */
  async function settingsOf(
    name: PoolName,
    { options = '', prepared = 'auto' }: { options?: string; prepared?: Prepared } = {},
  ): Promise<Record<string, string>> {
    const url = new URL(replicaUrl)
    if (options !== '') url.searchParams.set('options', options)
    const connectionString = url.href
    const common = { name, prepared, connectionString, connectTimeoutMs: 5000, observe: () => {} }
    const pool = createPool({ ...common, max: 1 })
    const client = await pool.connect()
    try {
      const { rows } = await client.query<{ name: string; value: string }>(
        'select name, current_setting(name) as value from pg_settings',
      )
      return Object.fromEntries(rows.map(row => [row.name, row.value]))
    } finally {
      client.release()
      await pool.end()
    }
  }

  it('has a ceiling for its statements, for a gateway whose host is gone without a word', async () => {
    for (const prepared of ['auto', 'off'] as const) {
      const { statement_timeout } = await settingsOf('reports', { prepared })
      expect(statement_timeout, prepared).to.equal('2min')
    }
  })

  it('keeps the lower one that its role has', async () => {
    const lower = await settingsOf('reports', { options: '-c statement_timeout=3s' })
    expect(lower).to.include({ statement_timeout: '3s' })
    const higher = await settingsOf('reports', { options: '-c statement_timeout=1h' })
    expect(higher).to.include({ statement_timeout: '2min' })
  })

  it('reads alone, waits for no lock for long, and is looked after while it runs', async () => {
    for (const name of ['reports', 'keys', 'probe'] as const) {
      expect(await settingsOf(name), name).to.include({
        default_transaction_read_only: 'on',
        client_connection_check_interval: '500ms',
        lock_timeout: '1s',
      })
    }
  })
})
