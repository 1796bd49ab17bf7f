// A real standby that restores from an archive: without a WAL receiver that shows its lag.
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { parseHeartbeat } from '../../src/definitions/access.ts'
import { parseSql } from '../harness/parse-sql.ts'
import type { ReplicaState } from '../../src/model/observation.ts'
import { createProbe } from '../../src/serve/database/probe.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'

describe('a standby that is fed from an archive', () => {
  let cluster: Cluster
  let archive: string
  /** Instant in ms. Later writes are not archived automatically. */
  let cutAt: number

  const onPrimary = <Row extends object>(sql: string): Promise<Row[]> =>
    run(cluster.primaryUrl, sql)
  const onStandby = <Row extends object>(sql: string): Promise<Row[]> =>
    run(cluster.replicaUrl, sql)
  async function configure(...changes: string[]): Promise<void> {
    for (const change of changes) await onStandby(`alter system ${change}`)
    await onStandby('select pg_reload_conf()')
  }
  const receivers = async (): Promise<number> =>
    (await onStandby(`select from pg_stat_wal_receiver where status = 'streaming'`)).length

  before(async () => {
    cluster = await sharedCluster()
    await onPrimary('create table archived_beats (written_at timestamptz not null)')
    await onPrimary('insert into archived_beats values (now())')
    await cluster.replicaCaughtUp()
    archive = `${cluster.folder}/primary/archive`
    mkdirSync(archive)
    await configure(`set restore_command = 'cp "${archive}/%f" "%p"'`, `set primary_conninfo = ''`)
    await until(async () => (await receivers()) === 0)
    cutAt = Date.now()
  })
  after(async () => {
    await configure('reset restore_command', 'reset primary_conninfo')
    await until(async () => (await receivers()) === 1)
    rmSync(archive, { recursive: true })
    await onPrimary('drop table archived_beats')
    await cluster.replicaCaughtUp()
  })

  /** @returns instant of the write, in ms */
  async function beat(): Promise<number> {
    const [row] = await onPrimary<{ ms: string }>(
      `update archived_beats set written_at = clock_timestamp()
       returning extract(epoch from written_at) * 1000 as ms`,
    )
    return Number(row?.ms)
  }

  /** Ends the current WAL segment, and archives it. @returns instant of the end, in ms */
  async function archiveAll(): Promise<number> {
    const [row] = await onPrimary<{ name: string }>(
      'select pg_walfile_name(pg_switch_wal()) as name',
    )
    const name = row?.name ?? ''
    copyFileSync(`${cluster.folder}/primary/pg_wal/${name}`, `${archive}/${name}`)
    // The servers may run as another user.
    chmodSync(`${archive}/${name}`, 0o644)
    return Date.now()
  }

  interface Looked {
    readonly state: ReplicaState
    readonly from: number
    readonly to: number
  }

  async function look(sql?: string): Promise<Looked> {
    const file = { file: 'heartbeat.sql', code: 'heartbeat', text: sql ?? '', version: '' }
    const text = sql === undefined ? undefined : (await parseHeartbeat(file, parseSql)).value!.text
    const seen: ReplicaState[] = []
    const probe = createProbe({
      connectionString: cluster.replicaUrl,
      connectTimeoutMs: 5000,
      allowPrimary: false,
      random: () => 0,
      heartbeat: () => text,
      observe: fact => fact.kind === 'replica-probed' && seen.push(fact.state),
    })
    const from = Date.now()
    probe.probe()
    const state = await until(() => seen[0])
    const to = Date.now()
    await probe.stop()
    return { state, from, to }
  }

  const BEAT = 'select written_at from archived_beats'

  async function untilShown(beatAt: number): Promise<void> {
    const shown = 'select extract(epoch from written_at) * 1000 as ms from archived_beats'
    await until(async () => Number((await onStandby<{ ms: string }>(shown))[0]?.ms) === beatAt)
  }

  /** Never understated, and at most the time since the heartbeat. */
  function expectLag({ state, from, to }: Looked, beatAt: number, archivedAt: number): void {
    expect(state.lagSeconds).to.be.within((from - archivedAt) / 1000, (to - beatAt) / 1000)
    expect(Date.parse(state.dataAsOf ?? '')).to.be.within(Math.floor(beatAt), archivedAt)
  }

  it('has the lag of its last commit, without a heartbeat', async () => {
    const { state, from } = await look()
    expect(state).to.include({ inRecovery: true, usable: true })
    expect(state.lagSeconds).to.be.at.least((from - cutAt) / 1000)
  })

  it('has the lag of its heartbeat, which grows while no WAL is archived', async () => {
    const beatAt = await beat()
    const archivedAt = await archiveAll()
    await untilShown(beatAt)
    const notArchived = await beat()
    for (let time = 0; time < 2; time += 1) expectLag(await look(BEAT), beatAt, archivedAt)
    const later = await archiveAll()
    await untilShown(notArchived)
    expectLag(await look(BEAT), notArchived, later)
  })
})
