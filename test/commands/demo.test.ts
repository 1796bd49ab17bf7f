// The demo with a small product and a substitute for the gateway, restarted on the same data.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { serveDemo } from '../../src/demo/demo-command.ts'
import { runningDemo } from '../../src/demo/running-demo.ts'
import { eventually, isAlive } from '../../src/demo/processes.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { captured, command } from './in-process.ts'
import { demoOptions, demoProcess, type DemoProcess } from './demo-process.ts'

describe('the demo', () => {
  const directory = `${temporaryFolder()}/run`
  let demo: DemoProcess

  afterEach(async () => demo?.kill())

  it('starts everything, prints keys and requests, and leaves no process if it is killed', async () => {
    demo = demoProcess(directory, { PGSSLMODE: 'require' })
    await demo.says('Ready on http://127.0.0.1:')
    expect(demo.output()).to.match(
      /api_key +organization +purpose\n +sk_demo_one +Ромашка +the only one\n/,
    )
    expect(demo.output()).to.match(
      /curl -H 'Authorization: Bearer sk_demo_one' 'http:\/\/127\.0\.0\.1:\d+\/api\/public\/v1\/ping'/,
    )
    // The standby, as the reports role, independent of libpq's variables.
    expect(demo.output()).to.match(
      /\{"DATABASE_URL":"postgres:\/\/svodka_reports:[0-9a-f]+@127\.0\.0\.1:\d+\/svodka"\}/,
    )
    expect(runningDemo(directory)).to.have.all.keys(
      'DATABASE_URL',
      'KEYS_DATABASE_URL',
      'PROBE_DATABASE_URL',
    )
    const second = await captured(() =>
      serveDemo(demoOptions(directory, { PORT: '0', OPS_PORT: '0' })),
    )
    expect(second.code).to.equal(3)
    expect(second.stderr).to.contain(`${directory} is in use by process ${demo.pid}`)

    const pids = demo.serverPids()
    await demo.kill()
    expect(runningDemo(directory)).to.equal(undefined)
    expect(await eventually(() => !pids.some(isAlive), 5000)).to.equal(true)
  })

  it('forwards SIGHUP without stopping and a repeated signal once, and leaves no process', async () => {
    demo = demoProcess(directory)
    await demo.says('Ready')
    expect(demo.output()).to.contain('The demo data are there from an earlier start; they end on 2')
    const pids = demo.serverPids()
    demo.signal('SIGHUP')
    await demo.says('stand-in: got SIGHUP')
    demo.signal('SIGTERM')
    await sleep(50)
    demo.signal('SIGTERM')
    expect(await demo.exit).to.equal(0)
    expect(demo.output().match(/stand-in: got \w+/g)).to.deep.equal([
      'stand-in: got SIGHUP',
      'stand-in: got SIGTERM',
    ])
    expect(demo.output()).to.match(/Stopping the standby and the primary[^]*Stopped\n$/)
    expect(pids.some(isAlive)).to.equal(false)
    expect(runningDemo(directory)).to.equal(undefined)
  })

  it('ends immediately on a second signal, and leaves no process', async () => {
    demo = demoProcess(directory, { STAND_IN: 'stubborn' })
    await demo.says('Ready')
    const pids = demo.serverPids()
    demo.signal('SIGQUIT')
    await sleep(400)
    expect(isAlive(demo.pid)).to.equal(true)
    demo.signal('SIGINT')
    const since = performance.now()
    await demo.exit
    expect(performance.now() - since).to.be.lessThan(1500)
    expect(demo.output()).to.contain('stand-in: got SIGINT')
    expect(pids.some(isAlive)).to.equal(false)
  })

  it('reports all unusable ports together, with their settings', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const isTaken = (setting: string) =>
      `Port ${port} on 127.0.0.1 is taken: set ${setting} to another one, for example ${setting}=\\d+\n`
    for (const [settings, said] of [
      [{ PORT: '0', OPS_PORT: String(port) }, isTaken('OPS_PORT')],
      [{ PORT: String(port), OPS_PORT: String(port) }, isTaken('PORT') + isTaken('OPS_PORT')],
      [{ PORT: 'http', OPS_PORT: '0' }, 'PORT is "http": a port from 0 to 65535 was expected.\n'],
      [{ PORT: '65536', OPS_PORT: '0' }, 'PORT is "65536": a port from 0 to 65535 was expected.\n'],
    ] as const) {
      const { code, stderr } = await captured(() => serveDemo(demoOptions(directory, settings)))
      expect(code).to.equal(3)
      expect(stderr).to.match(new RegExp(`^ +\\d\\.\\d s {2}${said}$`))
    }
    taken.close()
  })

  it('warns if DATABASE_URL is misspelt, because it starts the demo then', async () => {
    const ended = await command('demo', { DATABSE_URL: 'postgres://svodka:secret@h/d', PORT: 'x' })
    const line = 'DATABSE_URL is not a setting: is DATABASE_URL meant?\n'
    expect(ended.stderr.slice(0, line.length)).to.equal(line)
    expect(ended.stderr).not.to.contain('secret')
    expect(ended.code).to.equal(2)
  })
})
