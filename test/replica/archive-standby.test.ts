// A real standby that is fed from an archive: it has no WAL receiver to be asked how old its data are.
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { sharedCluster } from '../support/cluster.ts'
import { run } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { change } from './execute.ts'
import { lookAt } from './look.ts'

const BEAT = 'select written_at from archived_beats'
const WRITTEN_MS = 'extract(epoch from written_at) * 1000 as ms'

describe('a standby that is fed from an archive', function () {
  this.timeout(60_000)
  let cluster: Cluster
  let archive: string
  /** What was written later does not come by itself, in ms. */
  let cutAt: number

  async function receives(count: 0 | 1): Promise<void> {
    const receivers = `select from pg_stat_wal_receiver where status = 'streaming'`
    await until(async () => (await run(cluster.replicaUrl, receivers)).length === count)
  }
  async function configure(...changes: string[]): Promise<void> {
    for (const each of changes) await run(cluster.replicaUrl, `alter system ${each}`)
    await run(cluster.replicaUrl, 'select pg_reload_conf()')
  }

  before(async () => {
    cluster = await sharedCluster()
    await change(cluster, `create table archived_beats as select now() as written_at`)
    archive = `${cluster.folder}/primary/archive`
    mkdirSync(archive)
    await configure(`set restore_command = 'cp "${archive}/%f" "%p"'`, `set primary_conninfo = ''`)
    await receives(0)
    cutAt = Date.now()
  })
  after(async () => {
    await configure('reset restore_command', 'reset primary_conninfo')
    await receives(1)
    rmSync(archive, { recursive: true })
    await change(cluster, 'drop table archived_beats')
  })

  /** @returns when it was written, in ms */
  async function beat(): Promise<number> {
    const update = `update archived_beats set written_at = clock_timestamp() returning ${WRITTEN_MS}`
    const [row] = await run<{ ms: string }>(cluster.primaryUrl, update)
    return Number(row?.ms)
  }

  /** Archives the segment of WAL that is being written. @returns when that was done, once the standby shows it, in ms */
  async function archiveWith(beatAt: number): Promise<number> {
    const segment = 'select pg_walfile_name(pg_switch_wal()) as name'
    const [{ name } = { name: '' }] = await run<{ name: string }>(cluster.primaryUrl, segment)
    copyFileSync(`${cluster.folder}/primary/pg_wal/${name}`, `${archive}/${name}`)
    // The servers may be another user's.
    chmodSync(`${archive}/${name}`, 0o644)
    const archivedAt = Date.now()
    const shown = `select ${WRITTEN_MS} from archived_beats`
    await until(async () => {
      const [row] = await run<{ ms: string }>(cluster.replicaUrl, shown)
      return Number(row?.ms) === beatAt
    })
    return archivedAt
  }

  /** Never understated, and at most what passed since the beat. */
  async function expectLag(beatAt: number, archivedAt: number): Promise<void> {
    const from = Date.now()
    const state = await lookAt(cluster.replicaUrl, { heartbeat: BEAT })
    // why: instants are rounded to milliseconds
    const lag = [(from - archivedAt - 1) / 1000, (Date.now() - beatAt + 1) / 1000] as const
    expect(state.lagSeconds).to.be.within(...lag)
    expect(Date.parse(state.dataAsOf ?? '')).to.be.within(Math.floor(beatAt), archivedAt)
  }

  it('is as far behind as the last commit that it has, if the product writes no heartbeat', async () => {
    const from = Date.now()
    const state = await lookAt(cluster.replicaUrl)
    expect(state).to.include({ inRecovery: true, usable: true })
    expect(state.lagSeconds).to.be.at.least((from - cutAt) / 1000)
  })

  it('has the lag of its heartbeat, which grows while nothing is archived', async () => {
    const beatAt = await beat()
    const archivedAt = await archiveWith(beatAt)
    const notArchived = await beat()
    for (let time = 0; time < 2; time += 1) await expectLag(beatAt, archivedAt)
    await expectLag(notArchived, await archiveWith(notArchived))
  })
})
