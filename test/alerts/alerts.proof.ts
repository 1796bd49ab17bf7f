// Real faults: each provokes its alert, one notification is sent, and one more when the alert has resolved.
import { spawnSync } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../../src/demo/processes.ts'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import { createClosers } from '../harness/closers.ts'
import type { Gateway } from '../harness/gateway.ts'
import { fresh } from '../harness/load.ts'
import { PRODUCT, startServers } from '../harness/servers.ts'
import { skip } from '../harness/skip.ts'
import { createStage } from '../harness/stage.ts'
import type { Stage } from '../harness/stage.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { startStack } from './stack.ts'
import type { Notification, Stack } from './stack.ts'

/** Durations of the shipped files are divided by it. */
const FASTER = 60

interface Fault {
  readonly alert: string
  readonly provoke: (stage: Stage, gateway: Gateway) => Promise<unknown> | void
  readonly repair: (stage: Stage, gateway: Gateway) => Promise<unknown> | void
}

/** Its settings are low limits, which the faults reach with few requests. */
const SETTINGS = { MAX_CONNECTIONS: '100', MAX_REQUESTS_PER_ORGANIZATION: '2' }
const BROKEN = 'sql/reports/broken.sql'

/** New connections check the privileges of the role, at most once a minute. */
async function reconnect({ servers }: Stage, gateway: Gateway): Promise<void> {
  await pause(61_000)
  const end =
    "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'svodka reports'"
  for (const node of await servers.all()) await node.ask(end)
  await gateway.askMany(20, 1, fresh('ledger'))
}

// why in this order: failed requests of the last faults would burn the error budget during later ones
const FAULTS: readonly Fault[] = [
  {
    alert: 'SvodkaDown',
    provoke: (_, gateway) => gateway.signal('SIGSTOP'),
    repair: (_, gateway) => gateway.signal('SIGCONT'),
  },
  {
    alert: 'SvodkaKeysUnavailable',
    provoke: ({ servers }) => servers.primary.server.stop('fast'),
    repair: ({ servers }) => servers.restore(),
  },
  {
    alert: 'SvodkaReplayPaused',
    provoke: ({ servers }) => servers.one.ask('select pg_wal_replay_pause()'),
    repair: ({ servers }) => servers.one.ask('select pg_wal_replay_resume()'),
  },
  {
    alert: 'SvodkaReplicaDown',
    provoke: async ({ servers }) => (await servers.two()).server.stop('fast'),
    repair: ({ servers }) => servers.restore(),
  },
  {
    alert: 'SvodkaReplicaWritable',
    provoke: async ({ servers }) => (await servers.two()).ask('select pg_promote()'),
    repair: ({ servers }) => servers.restore(),
  },
  {
    alert: 'SvodkaReloadRejected',
    provoke({ folder }, gateway) {
      writeFileSync(`${folder}/${BROKEN}`, 'select')
      gateway.signal('SIGHUP')
    },
    repair({ folder }, gateway) {
      rmSync(`${folder}/${BROKEN}`)
      gateway.signal('SIGHUP')
    },
  },
  {
    alert: 'SvodkaOrganizationLimited',
    provoke(stage, gateway) {
      const load = gateway.startLoad(100, fresh('others'))
      stage.undo(() => load.stop())
    },
    repair: () => undefined,
  },
  {
    alert: 'SvodkaConnectionLimit',
    provoke(stage, gateway) {
      const { port } = new URL(gateway.url)
      const open = setInterval(() => {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
        stage.undo(() => void socket.destroy())
      }, 20)
      stage.undo(() => clearInterval(open))
    },
    repair: () => undefined,
  },
  {
    alert: 'SvodkaAccessRowInvalid',
    async provoke(stage, gateway) {
      await stage.servers.changeAll("update organizations set time_zone = 'Nowhere' where id = 5")
      // why: ten failures would exceed the objective, too
      const load = gateway.startLoad(0.5, () => ({ report: 'ledger', organization: 5 }))
      stage.undo(() => load.stop())
    },
    repair: ({ servers }) =>
      servers.changeAll("update organizations set time_zone = 'Europe/Moscow' where id = 5"),
  },
  {
    alert: 'SvodkaNoUsableReplica',
    async provoke({ servers }, gateway) {
      await gateway.warm('ledger')
      await (await servers.two()).server.stop('fast')
      await servers.one.server.stop('fast')
    },
    repair: ({ servers }) => servers.restore(),
  },
  {
    alert: 'SvodkaRoleCanWrite',
    async provoke(stage, gateway) {
      await stage.servers.changeAll('grant insert on ledger to svodka_reports')
      await reconnect(stage, gateway)
    },
    async repair(stage, gateway) {
      await stage.servers.changeAll('revoke insert on ledger from svodka_reports')
      await reconnect(stage, gateway)
    },
  },
]

/**
 * The names that fire or have resolved, of each notification. Prometheus sends resolved alerts again for 15 minutes,
 * which no setting divides: those of earlier faults are left out, and notifications that differ by nothing else.
 */
function sentSince(notifications: readonly Notification[]): string[][] {
  const fired = new Set<string>()
  const sent: string[][] = []
  for (const { status, alerts } of notifications) {
    const names = new Set<string>()
    for (const { status: own, labels } of alerts) {
      const name = labels['alertname'] ?? ''
      // why: Prometheus waits 5 s for its first targets, the divided `for` of SvodkaAbsent
      if (name === 'SvodkaAbsent' || own !== status) continue
      if (own === 'firing') fired.add(name)
      if (fired.has(name)) names.add(name)
    }
    const one = [status, ...names]
    if (names.size > 0 && String(one) !== String(sent.at(-1))) sent.push(one)
  }
  return sent
}

describe('faults and their alerts', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const closers = createClosers()
  const undoing = createClosers()
  let stage: Stage
  let gateway: Gateway
  let stack: Stack

  before(async function () {
    for (const program of ['prometheus', 'prometheus-alertmanager'])
      if (spawnSync(program, ['--version']).error !== undefined)
        skip(this, `there is no ${program}: install ${program}`)
    const watchdog = startWatchdog()
    closers.onEnd(() => watchdog.end())
    const servers = await startServers({ folder, watchdog })
    closers.onEnd(() => servers.stop())
    stage = createStage({ servers, folder, watchdog, isQuick: false }, undoing, closers)
    cpSync(`${PRODUCT}/sql`, `${folder}/sql`, { recursive: true })
    const replicas = [servers.one.port, (await servers.two()).port]
    gateway = await stage.gateway({ ...SETTINGS, SQL_DIR: `${folder}/sql` }, { replicas })
    stack = await startStack(`${folder}/stack`, [new URL(gateway.opsUrl).host], FASTER, closers)
  })
  after(async () => {
    expect(await closers.closeAll()).to.deep.equal([])
  })

  for (const { alert, provoke, repair } of FAULTS) {
    it(`${alert} fires, resolves after the repair, and is notified once`, async () => {
      const before = stack.notifications.length
      const sent = (): string[][] => sentSince(stack.notifications.slice(before))
      const isSent = (status: string): Promise<boolean> =>
        Promise.resolve(
          sent().some(([first, ...names]) => first === status && names.includes(alert)),
        )
      await provoke(stage, gateway)
      const hasFired = await eventually(() => isSent('firing'), 60_000)
      await repair(stage, gateway)
      expect(await undoing.closeAll()).to.deep.equal([])
      const hasResolved = await eventually(() => isSent('resolved'), 90_000)
      expect({ hasFired, hasResolved, sent: sent() }).to.deep.equal({
        hasFired: true,
        hasResolved: true,
        sent: [
          ['firing', alert],
          ['resolved', alert],
        ],
      })
    })
  }

  it('a critical alert is delivered within 60 s while a warning of the job is open', async () => {
    const targets = [new URL(gateway.opsUrl).host]
    // why undivided routes: the figure is theirs
    const { notifications } = await startStack(`${folder}/undivided`, targets, FASTER, closers, 1)
    const delivered = (name: string) =>
      notifications
        .flatMap(({ alerts }) => alerts)
        .find(({ labels }) => labels['alertname'] === name)
    const isDelivered = (name: string): Promise<boolean> =>
      eventually(async () => delivered(name) !== undefined, 90_000)
    await stage.servers.one.ask('select pg_wal_replay_pause()')
    const hasWarning = await isDelivered('SvodkaReplayPaused')
    gateway.signal('SIGSTOP')
    const hasPage = await isDelivered('SvodkaDown')
    const seconds = (Date.now() - Date.parse(delivered('SvodkaDown')?.startsAt ?? '')) / 1000
    gateway.signal('SIGCONT')
    await stage.servers.one.ask('select pg_wal_replay_resume()')
    expect({ hasWarning, hasPage }).to.deep.equal({ hasWarning: true, hasPage: true })
    expect(seconds).to.be.below(60)
  })

  it('a cause inhibits the burn of failures, and no burn of latency', async () => {
    const burns = ['SvodkaErrorBudgetBurn', 'SvodkaCachedLatencyBudgetBurn']
    const alerts = ['SvodkaNoUsableReplica', ...burns].map(alertname => ({
      labels: { alertname, severity: 'critical', job: 'other' },
    }))
    const before = stack.notifications.length
    await fetch(`${stack.alertmanagerUrl}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alerts),
    })
    const names = (): string[] =>
      stack.notifications
        .slice(before)
        .flatMap(({ alerts: sent }) => sent)
        .flatMap(({ labels }) => (labels['job'] === 'other' ? [labels['alertname']!] : []))
    await eventually(async () => names().includes('SvodkaCachedLatencyBudgetBurn'), 20_000)
    await pause(2000)
    expect(names()).to.include.members(['SvodkaNoUsableReplica', 'SvodkaCachedLatencyBudgetBurn'])
    expect(names()).not.to.include('SvodkaErrorBudgetBurn')
  })
})
