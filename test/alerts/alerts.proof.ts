// Real faults: each provokes its alert, one notification is sent, and one more when the alert has resolved.
import { spawnSync } from 'node:child_process'
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
import type { Stack } from './stack.ts'

/** Durations of the shipped files are divided by it. */
const FASTER = 60

interface Fault {
  readonly alert: string
  readonly provoke: (stage: Stage, gateway: Gateway) => Promise<unknown> | void
  readonly repair: (stage: Stage, gateway: Gateway) => Promise<unknown> | void
}

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
      await servers.one.server.stop('fast')
    },
    repair: ({ servers }) => servers.restore(),
  },
]

describe('faults and their alerts', function () {
  this.timeout(180_000)
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
    gateway = await stage.gateway()
    stack = await startStack(`${folder}/stack`, [new URL(gateway.opsUrl).host], FASTER, closers)
  })
  after(async () => {
    expect(await closers.closeAll()).to.deep.equal([])
  })

  for (const { alert, provoke, repair } of FAULTS) {
    it(`${alert} fires, resolves after the repair, and is notified once`, async () => {
      const before = stack.notifications.length
      const ofFault = (status: string) =>
        stack.notifications.slice(before).filter(sent => sent.status === status)
      await provoke(stage, gateway)
      const hasFired = await eventually(() => Promise.resolve(ofFault('firing').length > 0), 60_000)
      await repair(stage, gateway)
      expect(await undoing.closeAll()).to.deep.equal([])
      const hasResolved = await eventually(
        () => Promise.resolve(ofFault('resolved').length > 0),
        90_000,
      )
      const sent = stack.notifications.slice(before).map(({ status, alerts }) => [
        status,
        // why: Prometheus waits 5 s for its first targets, the divided `for` of SvodkaAbsent
        ...alerts.map(({ labels }) => labels['alertname']).filter(name => name !== 'SvodkaAbsent'),
      ])
      expect({ hasFired, hasResolved, sent }).to.deep.equal({
        hasFired: true,
        hasResolved: true,
        sent: [
          ['firing', alert],
          ['resolved', alert],
        ],
      })
    })
  }
})
