// Notifications of a real Alertmanager with the shipped configuration, for alerts as Prometheus sends them.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { freePort } from '../../src/demo/ports.ts'
import { eventually } from '../../src/demo/processes.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { isUp } from '../harness/until.ts'
import { PACK } from './pack.ts'

const PROGRAM = 'prometheus-alertmanager'

/** What Alertmanager sends. */
interface Notification {
  readonly alerts: ReadonlyArray<{ readonly labels: Readonly<Record<string, string>> }>
}

describe('notifications of alerts', function () {
  this.timeout(180_000)
  const names: string[] = []
  const receiver = createServer((request, response) => {
    void json(request)
      .then(notification => {
        const { alerts } = notification as Notification
        return names.push(...alerts.map(({ labels }) => `${labels['job']} ${labels['alertname']}`))
      })
      .then(() => response.end())
  })
  let url: string
  let program: ChildProcess

  before(async function () {
    if (spawnSync(PROGRAM, ['--version']).error !== undefined)
      skip(this, `there is no ${PROGRAM}: install ${PROGRAM}`)
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    const { port } = receiver.address() as AddressInfo
    const folder = temporaryFolder()
    const text = readFileSync(`${PACK}/alertmanager.yml`, 'utf8')
    writeFileSync(`${folder}/alertmanager.yml`, text.replace('127.0.0.1:9095', `127.0.0.1:${port}`))
    const own = `127.0.0.1:${await freePort()}`
    const options = `--config.file=alertmanager.yml --storage.path=data --web.listen-address=${own} --cluster.listen-address=`
    program = spawn(PROGRAM, options.split(' '), { cwd: folder, stdio: 'ignore' })
    url = `http://${own}/api/v2/alerts`
    expect(await eventually(() => isUp(url), 20_000)).to.equal(true)
  })
  after(() => {
    program?.kill('SIGKILL')
    receiver.close()
  })

  async function fire(job: string, severity: string, ...all: string[]): Promise<void> {
    const alerts = all.map(alertname => ({ labels: { alertname, severity, job } }))
    const headers = { 'content-type': 'application/json' }
    const sent = await fetch(url, { method: 'POST', headers, body: JSON.stringify(alerts) })
    expect(sent.status).to.equal(200)
  }
  const arrives = (name: string, withinMs: number): Promise<boolean> =>
    eventually(async () => names.includes(name), withinMs)

  it('bring a critical one within 60 s while a warning of the job is open', async () => {
    await fire('one', 'warning', 'SvodkaReplayPaused')
    expect(await arrives('one SvodkaReplayPaused', 90_000)).to.equal(true)
    await fire('one', 'critical', 'SvodkaDown')
    expect(await arrives('one SvodkaDown', 60_000)).to.equal(true)
  })

  it('leave out the burn of failures that a cause inhibits, and no burn of latency', async () => {
    const burns = ['SvodkaErrorBudgetBurn', 'SvodkaCachedLatencyBudgetBurn']
    await fire('other', 'critical', 'SvodkaNoUsableReplica', ...burns)
    for (const name of ['SvodkaNoUsableReplica', 'SvodkaCachedLatencyBudgetBurn'])
      expect(await arrives(`other ${name}`, 60_000)).to.equal(true)
    await pause(15_000)
    expect(names).not.to.include('other SvodkaErrorBudgetBurn')
  })
})
