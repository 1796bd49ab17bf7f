import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { parseHeartbeat } from '../../src/definitions/heartbeat.ts'
import type { ReplicaState } from '../../src/observation.ts'
import { createProbe } from '../../src/replica/probe.ts'
import { sharedCluster } from '../support/cluster.ts'
import { run } from '../support/shops.ts'

// why: a `?` is an operator of jsonb, and no placeholder
const SQL = `select written_at from heartbeat where '{"a": 1}'::jsonb ? 'a'`

describe('a heartbeat that the product writes', function () {
  this.timeout(60_000)
  let cluster: Cluster
  before(async () => {
    cluster = await sharedCluster()
    await change('create table heartbeat (written_at timestamptz not null)')
  })
  after(() => change('drop table heartbeat'))

  async function change(sql: string): Promise<void> {
    await run(cluster.primaryUrl, sql)
    await cluster.replicaCaughtUp()
  }

  /** As a role without pg_read_all_stats: what an archive standby or a managed replica shows is no more. */
  async function look(): Promise<ReplicaState> {
    const file = { file: 'sql/replica/heartbeat.sql', code: 'heartbeat', text: SQL, version: '' }
    const { text } = parseHeartbeat(file).value!
    let probe: ReturnType<typeof createProbe> | undefined
    const state = await new Promise<ReplicaState>((resolve, reject) => {
      probe = createProbe({
        connectionString: cluster.urlFor('svodka_reports', 'replica'),
        connectTimeoutMs: 2000,
        allowPrimary: false,
        heartbeat: () => text,
        observe(fact) {
          if (fact.kind === 'replica-probed') resolve(fact.state)
          if (fact.kind === 'replica-probe-failed') reject(fact.error)
        },
      })
      probe.start(() => undefined)
    })
    await probe?.stop()
    return state
  }

  it('leaves the lag unknown, and never 0, while the role may not read it', async () => {
    const state = await look()
    expect(state.lagSeconds).to.equal(undefined)
    expect(state.heartbeatError).to.include({ code: '42501' })
  })

  it('leaves it unknown while there is no row', async () => {
    await change('grant select on heartbeat to svodka_reports')
    const state = await look()
    expect(state.lagSeconds).to.equal(undefined)
    expect(String(state.heartbeatError)).to.contain('0 rows, expected one')
  })

  it('tells the lag without anything of the WAL receiver', async () => {
    await change('insert into heartbeat values (now())')
    const state = await look()
    expect(state.lagSeconds).to.be.within(0, 2)
    expect(state.heartbeatError).to.equal(undefined)
  })

  it('makes it neither negative nor no number where the primary is 30 s ahead', async () => {
    await change(`update heartbeat set written_at = now() + interval '30 seconds'`)
    const { lagSeconds, dataAsOf } = await look()
    expect(lagSeconds).to.equal(0)
    expect(Date.parse(dataAsOf!)).to.be.at.most(Date.now() + 1000)
  })
})
