import { expect } from 'chai'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runningDemo } from '../../src/commands/running-demo.ts'
import { freePort } from '../../src/demo/ports.ts'
import { eventually, isAlive } from '../../src/demo/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const program = fileURLToPath(new URL('./run-demo.js', import.meta.url))

describe('the demo', () => {
  const directory = join(temporaryFolder(), 'run')
  let child: ChildProcess
  let output = ''

  function start(environment: Record<string, string> = {}): void {
    output = ''
    child = spawn(process.execPath, [program, directory], {
      env: { ...process.env, PORT: '0', OPS_PORT: '0', ...environment },
    })
    child.stdout?.on('data', chunk => (output += chunk))
    child.stderr?.on('data', chunk => (output += chunk))
  }

  const says = (text: string) => eventually(() => output.includes(text), 15_000)

  async function exitCode(): Promise<number | null> {
    if (child.exitCode === null) await once(child, 'close')
    return child.exitCode
  }

  const serverPids = () =>
    ['primary', 'standby'].map(name =>
      Number.parseInt(readFileSync(join(directory, name, 'postmaster.pid'), 'utf8'), 10),
    )

  afterEach(async () => {
    child.kill('SIGKILL')
    await exitCode()
  })

  it('starts everything, and says the keys and requests to paste', async () => {
    start({ PGSSLMODE: 'require' })
    expect(await says('Ready on http://127.0.0.1:')).to.equal(true)
    expect(output).to.match(
      /api_key +organization +purpose\n +sk_demo_one +Ромашка +the only one\n/,
    )
    expect(output).to.match(
      /curl -H 'Authorization: Bearer sk_demo_one' 'http:\/\/127\.0\.0\.1:\d+\/api\/public\/v1\/ping'/,
    )
  })

  it('gives the gateway the standby, as the role for reports, and no setting of libpq', async () => {
    start({ PGSSLMODE: 'require' })
    expect(await says('stand-in: {')).to.equal(true)
    expect(output).to.match(
      /\{"DATABASE_URL":"postgres:\/\/svodka_reports:[0-9a-f]+@127\.0\.0\.1:\d+\/svodka"\}/,
    )
  })

  it('leaves its connections for other commands while it runs', async () => {
    start()
    expect(await says('Ready')).to.equal(true)
    const connections = runningDemo(directory)
    expect(Object.keys(connections ?? {})).to.deep.equal([
      'DATABASE_URL',
      'KEYS_DATABASE_URL',
      'PROBE_DATABASE_URL',
    ])
    child.kill('SIGINT')
    expect(await exitCode()).to.equal(0)
    expect(runningDemo(directory)).to.equal(undefined)
  })

  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    it(`passes ${name} on once, though it comes twice, and leaves no process`, async () => {
      start()
      expect(await says('Ready')).to.equal(true)
      const pids = serverPids()
      child.kill(name)
      await sleep(50)
      child.kill(name)
      expect(await exitCode()).to.equal(0)
      expect(output.match(/stand-in: got \w+/g)).to.deep.equal([`stand-in: got ${name}`])
      expect(output).to.match(/Stopping the standby and the primary[^]*Stopped\n$/)
      expect(pids.some(isAlive)).to.equal(false)
    })
  }

  it('ends at once on a second signal, and leaves no process', async () => {
    start({ STAND_IN: 'stubborn' })
    expect(await says('Ready')).to.equal(true)
    const pids = serverPids()
    child.kill('SIGINT')
    await sleep(400)
    expect(child.exitCode).to.equal(null)
    child.kill('SIGINT')
    const since = performance.now()
    await exitCode()
    expect(performance.now() - since).to.be.lessThan(1500)
    expect(pids.some(isAlive)).to.equal(false)
  })

  it('gives up a start that is interrupted', async () => {
    start()
    expect(await says('Starting a PostgreSQL')).to.equal(true)
    child.kill('SIGTERM')
    expect(await exitCode()).to.equal(0)
    expect(output).not.to.include('stand-in')
  })

  it("stops with the gateway's code if the gateway ends", async () => {
    start({ STAND_IN: 'failing' })
    expect(await exitCode()).to.equal(7)
    expect(output).to.match(/ended with code 7[^]*Stopped\n$/)
  })

  it('says at once that a port is taken, and which setting changes it', async () => {
    const port = await freePort()
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    start({ OPS_PORT: String(port) })
    expect(await exitCode()).to.equal(3)
    taken.close()
    expect(output).to.include(
      `Port ${port} on 127.0.0.1 is taken: set OPS_PORT to another one, for example OPS_PORT=`,
    )
    expect(output).not.to.include('PostgreSQL')
  })

  it('refuses what is no port', async () => {
    start({ PORT: 'http' })
    expect(await exitCode()).to.equal(3)
    expect(output).to.include('PORT is "http": a port from 0 to 65535 was expected.')
  })
})
