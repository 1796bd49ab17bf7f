// Real faults: each provokes its alert, one notification is sent, and one more when the alert has resolved.
import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../../src/demo/processes.ts'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import { createClosers } from '../harness/closers.ts'
import type { Gateway } from '../harness/gateway.ts'
import { startServers } from '../harness/servers.ts'
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

/** A gateway, a replica, and all of them; promtool has a case for each alert. */
const FAULTS: readonly Fault[] = [
  {
    alert: 'SvodkaDown',
    provoke: (_, gateway) => gateway.signal('SIGSTOP'),
    repair: (_, gateway) => gateway.signal('SIGCONT'),
  },
  {
    alert: 'SvodkaReplayPaused',
    provoke: ({ servers }) => servers.one.ask('select pg_wal_replay_pause()'),
    repair: ({ servers }) => servers.one.ask('select pg_wal_replay_resume()'),
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
    const replicas = [servers.one.port, (await servers.two()).port]
    gateway = await stage.gateway({}, { replicas })
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
