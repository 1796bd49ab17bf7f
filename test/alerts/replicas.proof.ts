// Faults of real servers, until their notifications arrive from a real Prometheus and Alertmanager.
import { expect } from 'chai'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import { createClosers } from '../harness/closers.ts'
import { startEntries } from '../harness/entries.ts'
import type { Gateway } from '../harness/scenario-gateway.ts'
import { fresh } from '../harness/load.ts'
import { startServers, type Node, type Servers } from '../harness/servers.ts'
import { createStage, type Stage } from '../harness/stage.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { startAlerting, type Alerting } from './alerting.ts'

const PAGE = 90
const WARNING = 180
const END = 120

describe('notifications of faults of replicas', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const closers = createClosers()
  const undoing = createClosers()
  let servers: Servers
  let stage: Stage
  let one: Node
  let two: Node
  let alerting: Alerting
  /** One replica; two replicas; the second replica, and keys on the primary and the first one. */
  let alone: Gateway
  let both: Gateway
  let keys: Gateway

  before(async function () {
    const watchdog = startWatchdog()
    closers.onEnd(() => watchdog.end())
    servers = await startServers({ folder, watchdog })
    closers.onEnd(() => servers.stop())
    one = servers.one
    two = await servers.two()
    stage = createStage({ servers, folder, watchdog, isQuick: false }, undoing, closers)
    const keyUrls = [
      servers.url('svodka_keys', servers.primary.port),
      // why: the role must see the lag of a server that executes no reports
      servers.url('postgres', one.port),
    ]
    alone = await stage.gateway({}, { replicas: [one.port] })
    both = await stage.gateway({}, { replicas: [one.port, two.port] })
    keys = await stage.gateway({ KEYS_DATABASE_URL: keyUrls.join(',') }, { replicas: [two.port] })
    const targets = [alone, both, keys].map(hostOf)
    // why: a proof cannot wait for a quarter of an hour; promtool tests it
    const shorten = (text: string): string =>
      text.replace(/(svodka_replica_lag_seconds >= 0\)\s+for: )15m/, '$1 15s')
    alerting = await startAlerting(this, `${folder}/alerting`, targets, closers, shorten)
    const usable = 'sum(svodka_key_database_usable) == 4 and sum(svodka_replica_usable) == 4'
    await until(async () => (await alerting.query(usable)).length > 0)
  })
  after(async () => {
    expect([...(await undoing.closeAll()), ...(await closers.closeAll())]).to.deep.equal([])
  })

  async function all(
    status: 'firing' | 'resolved',
    since: number,
    seconds: number,
    ...alerts: [alertname: string, gateway: Gateway, more?: Record<string, string>][]
  ): Promise<void> {
    const arrived = alerts.map(([alertname, gateway, more]) => {
      const labels = { alertname, instance: hostOf(gateway), ...more }
      return alerting.arrives({ status, labels }, since, seconds)
    })
    expect(await Promise.all(arrived)).to.deep.equal(alerts.map(() => true))
  }
  const warnings = (status: 'firing' | 'resolved', since: number, seconds: number): Promise<void> =>
    all(
      status,
      since,
      seconds,
      ['SvodkaReplicaDown', both],
      ['SvodkaReplayPaused', both],
      ['SvodkaKeyDatabaseUnusable', keys],
    )

  it('of two faults at once: a page within 90 s, warnings within 3 minutes', async () => {
    const failing = alone.startLoad(2, fresh('others'))
    undoing.onEnd(async () => void (await failing.stop()))
    const since = Date.now()
    await Promise.all([one.server.stop('fast'), two.ask('select pg_wal_replay_pause()')])
    await Promise.all([
      all('firing', since, PAGE, ['SvodkaNoUsableReplica', alone]),
      warnings('firing', since, WARNING),
    ])
  })

  it('end within 2 minutes after the repair', async () => {
    const since = Date.now()
    await Promise.all([one.server.start(), two.ask('select pg_wal_replay_resume()')])
    await Promise.all([
      all('resolved', since, END, ['SvodkaNoUsableReplica', alone]),
      warnings('resolved', since, END),
    ])
  })

  it('page again for a second outage', async () => {
    const since = Date.now()
    await one.server.stop('fast')
    await all('firing', since, PAGE, ['SvodkaNoUsableReplica', alone])
    const repairedAt = Date.now()
    await one.server.start()
    await all('resolved', repairedAt, END, ['SvodkaNoUsableReplica', alone])
    const names = alerting.notified.map(({ labels }) => labels['alertname'])
    expect(names).not.to.include('SvodkaErrorBudgetBurn')
  })

  it('page if all replicas are late', async () => {
    await startEntries(stage)
    const since = Date.now()
    for (const { ask } of [one, two]) await ask('select pg_wal_replay_pause()')
    // why: the lag reaches the limit of 60 s first
    await all('firing', since + 60_000, PAGE, [
      'SvodkaReplicaLagging',
      both,
      { severity: 'critical' },
    ])
    const repairedAt = Date.now()
    for (const { ask } of [one, two]) await ask('select pg_wal_replay_resume()')
    await all('resolved', repairedAt, END, ['SvodkaReplicaLagging', both, { severity: 'critical' }])
  })

  it('are of no alert that ends without having begun', () => {
    const ids = alerting.notified.map(({ status, labels, startsAt }) =>
      JSON.stringify([status, labels, startsAt]),
    )
    for (const [at, id] of ids.entries())
      if (id.includes('resolved'))
        expect(ids.slice(0, at)).to.include(id.replace('resolved', 'firing'))
  })
})

function hostOf({ opsUrl }: Gateway): string {
  return new URL(opsUrl).host
}
