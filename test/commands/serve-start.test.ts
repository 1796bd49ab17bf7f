// Errors that prevent the gateway from starting or from becoming ready.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { listening, ready, startProcess } from '../harness/process.ts'
import { shopsEnvironment } from '../harness/shops.ts'
import { skip } from '../harness/skip.ts'
import { until } from '../harness/until.ts'
import { serveProcesses } from './serve-process.ts'

describe('svodka serve', function () {
  this.timeout(60_000)
  const serve = serveProcesses()

  it('does not use a writable server, and logs so, unless ALLOW_PRIMARY is set', async () => {
    const settings = { DATABASE_URL: serve.shops.primaryUrl, DRAIN_DELAY: '1h' }
    const refusing = serve.start(settings)
    const { url, opsUrl } = await listening(refusing)
    await until(() => refusing.out.includes('ALLOW_PRIMARY'))
    expect((await fetch(`${opsUrl}/readyz`)).status).to.equal(503)
    const answer = await asker(url, 'key of shop 1')('/reports/receipts')
    // Keys are not looked up there either: a promoted server may not be the one where keys are revoked.
    expect([answer.status, answer.json.code]).to.deep.equal([503, 'access_unavailable'])
    refusing.child.kill('SIGKILL')

    const gateway = serve.start({ ...settings, ALLOW_PRIMARY: 'true' })
    const { child, exit } = gateway
    const allowed = asker((await ready(gateway)).url, 'key of shop 1')
    expect((await allowed('/reports/receipts')).status).to.equal(200)
    expect((await allowed('/reports/writes')).status).to.equal(500)
    child.kill('SIGINT')
    expect(await exit, 'SIGINT skips the drain delay').to.equal(0)
  })

  it('ends without an error on a signal while definitions load', async function () {
    if (!existsSync('/proc/self/status')) skip(this, 'there is no /proc')
    const gateway = serve.start({})
    const { pid } = gateway.child
    const handled = () => /^SigCgt:\t(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    // why: Node itself handles SIGTERM from its start
    const SIGUSR2 = 1n << 11n
    await until(() => (BigInt(`0x${handled()}`) & SIGUSR2) !== 0n)
    gateway.child.kill('SIGTERM')
    expect(await gateway.exit).to.equal(0)
    expect(gateway.out).not.to.contain('the API on')
  })

  it('warns of a misspelt setting, and does not log its value', async () => {
    const gateway = serve.start({ REPORT_POOL_SIZ: 'misspelt-value' })
    await listening(gateway)
    gateway.child.kill('SIGINT')
    await gateway.exit
    const warnings = gateway.out.split('\n').filter(line => line.includes('"warn"'))
    expect(warnings.map(line => JSON.parse(line).msg)).to.include(
      'REPORT_POOL_SIZ is not a setting: is REPORT_POOL_SIZE meant?',
    )
    expect(gateway.out + gateway.err).not.to.contain('misspelt-value')
  })

  it('warns of a limit of open files that is too low, and --check-config finds it', async function () {
    if (!existsSync('/proc/self/limits')) skip(this, 'there is no /proc')
    const start = (limit: number, options = '') =>
      startProcess('serve', shopsEnvironment(serve.shops), {
        prefix: ['sh', '-c', `ulimit -n ${limit}; exec "$@" ${options}`, 'sh'],
      })
    const found =
      'the process may open 600 files, expected 4311: 4000 of MAX_CONNECTIONS and 311 others; raise the limit (ulimit -n, LimitNOFILE=, nofile), or set MAX_CONNECTIONS=289'
    const gateway = start(600)
    await listening(gateway)
    gateway.child.kill('SIGINT')
    await gateway.exit
    expect(gateway.out).to.contain(`"msg":"${found}"`)
    const check = start(600, '--check-config')
    expect(await check.exit).to.equal(1)
    expect(check.out).to.contain(`[-]settings failed: ${found}\n`)
    const enough = start(4311, '--check-config')
    await enough.exit
    expect(enough.out).to.contain('[+]settings ok\n')
  })

  it('logs why a server is unreachable in a line, with the stack at LOG_LEVEL=debug only', async () => {
    const DATABASE_URL = 'postgres://u:p@127.0.0.1:1/erp'
    for (const LOG_LEVEL of ['info', 'debug']) {
      const gateway = serve.start({ DATABASE_URL, LOG_LEVEL })
      const { url } = await listening(gateway)
      expect((await asker(url, 'key of shop 1')('/ping')).status).to.equal(503)
      await until(() => gateway.out.includes('access_unavailable'))
      gateway.child.kill('SIGKILL')
      await gateway.exit
      const lines = gateway.out.split('\n').filter(line => line.includes('ECONNREFUSED'))
      expect(lines).to.have.length.above(1)
      expect(lines.some(line => line.includes('"stack"'))).to.equal(LOG_LEVEL === 'debug')
    }
  })

  it('refuses operations to a page whose name was pointed at this machine', async () => {
    const gateway = serve.start({})
    const { opsUrl } = await listening(gateway)
    const statusOf = async (host: string): Promise<number | undefined> => {
      const [answer] = await once(get(`${opsUrl}/organizations`, { headers: { host } }), 'response')
      return (answer as IncomingMessage).resume().statusCode
    }
    expect(await statusOf(`rebound.example:${new URL(opsUrl).port}`)).to.equal(421)
    expect(await statusOf('localhost')).to.equal(200)
  })

  it('names the setting of an unknown host', async () => {
    for (const setting of ['HOST', 'OPS_HOST']) {
      const gateway = serve.start({ [setting]: 'no-such-host.invalid' })
      expect(await gateway.exit).to.equal(3)
      expect(gateway.err).to.contain(
        `no-such-host.invalid is not an address of this machine: set ${setting} to one.`,
      )
    }
  })

  it('names the setting of a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    for (const setting of ['PORT', 'OPS_PORT']) {
      const gateway = serve.start({ [setting]: String(port) })
      const { exit } = gateway
      expect(await exit).to.equal(3)
      expect(gateway.err).to.contain(`Port ${port} on 127.0.0.1 is taken: set ${setting} to an`)
    }
    other.close()
  })
})
