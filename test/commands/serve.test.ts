// The gateway as a process: signals, exit codes and its log.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { freePort } from '../../src/demo/ports.ts'
import { asker } from '../harness/ask.ts'
import { startProcess } from '../harness/process.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { processesOfTests } from '../harness/shops-gateway.ts'
import { skip } from '../harness/skip.ts'
import { isUp, until } from '../harness/until.ts'

/** A request for each 4xx problem that needs no execution. */
const PROBLEMS: Readonly<Record<string, readonly [path: string, key?: string]>> = {
  api_key_required: ['/ping'],
  api_key_invalid: ['/ping', 'unknown'],
  module_locked: ['/ping', 'key of shop 4'],
  not_found: ['/nowhere', 'key of shop 1'],
  report_not_found: ['/reports/nowhere', 'key of shop 1'],
  metric_not_found: ['/metrics?codes=nowhere', 'key of shop 1'],
  bad_range: ['/reports/receipts?from=x', 'key of shop 1'],
  bad_format: ['/reports/receipts?format=x', 'key of shop 1'],
}

describe('svodka serve', () => {
  const start = processesOfTests()

  const isDraining = (opsUrl: string) =>
    until(async () => (await fetch(`${opsUrl}/readyz`)).status === 503)

  it('serves during the drain delay after SIGTERM while not ready, finishes open requests, exits 0', async () => {
    const { child, exit, ask, opsUrl } = await start({ DRAIN_DELAY: '500ms' })
    const inFlight = ask('/reports/sleeps')
    child.kill('SIGTERM')
    await isDraining(opsUrl)
    expect((await ask('/ping')).status, 'while draining').to.equal(200)
    expect((await fetch(`${opsUrl}/livez`)).status).to.equal(200)
    expect((await inFlight).status).to.equal(200)
    expect(await exit).to.equal(0)
  })

  it('opens no debugger after SIGUSR1, finishes open requests after SIGUSR2, and exits 0', async () => {
    const gateway = await start({ DRAIN_DELAY: '500ms' })
    gateway.child.kill('SIGUSR1')
    const inFlight = gateway.ask('/reports/sleeps')
    await sleep(300)
    gateway.child.kill('SIGUSR2')
    expect((await inFlight).status).to.equal(200)
    expect(await gateway.exit).to.equal(0)
    expect(gateway.err).to.equal('')
  })

  it('exits 0 after SIGINT, even if its log is on a full disk', async function () {
    if (!existsSync('/dev/full')) skip(this, 'there is no /dev/full')
    const OPS_PORT = String(await freePort())
    const settings = { ...shopsEnvironment(await sharedShops()), OPS_PORT }
    const prefix = ['sh', '-c', 'exec "$@" >/dev/full', 'sh']
    const { child, exit } = startProcess('serve', settings, { prefix })
    await until(() => isUp(`http://127.0.0.1:${OPS_PORT}/livez`))
    child.kill('SIGINT')
    expect(await exit).to.equal(0)
  })

  it('stops all other parts, logs the failure and exits 1 if a part cannot be stopped', async () => {
    const preload = new URL('./failing-pool-end.js', import.meta.url).href
    const gateway = await start({ NODE_OPTIONS: `--import=${preload}`, DRAIN_DELAY: '0' })
    gateway.child.kill('SIGTERM')
    expect(await gateway.exit, gateway.err + gateway.out).to.equal(1)
    expect(gateway.err.match(/a pool is ended/g)).to.have.length.greaterThan(1)
    expect(gateway.out).to.match(/"level":"error".*the first pool cannot be ended/)
  })

  it('logs each kind of problem once under a flood, and exits immediately on a second signal', async () => {
    const gateway = await start({ TRUST_PROXY: '127.0.0.1', DRAIN_DELAY: '1h' })
    const { child, exit, opsUrl } = gateway
    const ask = asker(gateway.url, '')
    for (const [problem, [path, key]] of Object.entries(PROBLEMS)) {
      const options = { key, headers: { 'X-Forwarded-For': '[2001:db8::7]:50123' } }
      const all = await Promise.all(Array.from({ length: 50 }, () => ask(path, options)))
      for (const { json } of all) expect(json.code).to.equal(problem)
    }
    child.kill('SIGQUIT')
    await isDraining(opsUrl)
    child.kill('SIGTERM')
    expect(await exit).to.equal(130)
    for (const problem of Object.keys(PROBLEMS)) {
      const found = gateway.out.match(new RegExp(`"problem":"${problem}"`, 'g'))
      // why: on a busy machine these may take longer than 30 s
      expect(found, problem).to.have.length.within(1, 3)
    }
    const lines = gateway.out.split('\n').filter(line => line.includes('"problem"'))
    const addresses = lines.join().match(/(?<="clientAddress":")[^"]*/g)
    expect([...new Set(addresses)]).to.deep.equal(['2001:db8::7'])
  })
})
