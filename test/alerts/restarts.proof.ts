// A process that ends again and again, until its notifications arrive from a real Prometheus and Alertmanager.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { freePort } from '../../src/demo/ports.ts'
import { startWatchdog, type Watchdog } from '../../src/demo/watchdog.ts'
import { createClosers } from '../harness/closers.ts'
import { startGateway, type GatewayProcess } from '../harness/gateway.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { startAlerting, type Alerting } from './alerting.ts'

describe('notifications of a process that ends', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const closers = createClosers()
  let ports: NodeJS.ProcessEnv
  let watchdog: Watchdog
  let gateway: GatewayProcess
  let alerting: Alerting

  async function start(): Promise<void> {
    gateway = await startGateway(ports, { as: 'process', unready: true, log: { folder, watchdog } })
  }

  before(async function () {
    watchdog = startWatchdog()
    closers.onEnd(() => watchdog.end())
    const [port, opsPort] = [await freePort(), await freePort()]
    ports = { PORT: String(port), OPS_PORT: String(opsPort) }
    await start()
    const target = `127.0.0.1:${opsPort}`
    alerting = await startAlerting(this, `${folder}/alerting`, [target], closers)
    const isScraped = async (): Promise<boolean> => (await alerting.query('up == 1')).length > 0
    await until(isScraped)
  })
  after(async () => {
    expect(await closers.closeAll()).to.deep.equal([])
  })
  const arrives = (alertname: string, since: number): Promise<boolean> =>
    alerting.arrives({ status: 'firing', labels: { alertname } }, since, 90)

  it('page for five ends within 56 s, four of them between two scrapes', async () => {
    const since = Date.now()
    for (const again of [true, true, true, false]) {
      await gateway.stop()
      await start()
      if (!again) await pause(since + 56_000 - Date.now())
    }
    await gateway.stop()
    const lastAt = Date.now()
    await start()
    expect(await arrives('SvodkaRestarting', lastAt)).to.equal(true)
  })

  it('page within 90 s of an end without a start', async () => {
    const since = Date.now()
    await gateway.stop()
    expect(await arrives('SvodkaDown', since)).to.equal(true)
  })
})
