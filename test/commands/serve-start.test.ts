// Errors that prevent the gateway from starting or from becoming ready.
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { shopsFolder } from '../contract/gateways.ts'
import { listening, startProcess } from '../harness/process.ts'
import { processesOfTests } from '../harness/shops-gateway.ts'
import { sharedShops, SHOPS_SQL_DIR, shopsEnvironment, type Shops } from '../harness/shops.ts'
import { skip } from '../harness/skip.ts'
import { until } from '../harness/until.ts'
import { expectCommand } from './in-process.ts'

describe('svodka serve', () => {
  const start = processesOfTests()
  let shops: Shops
  before(async () => (shops = await sharedShops()))

  it('does not use a writable server, and logs so, unless ALLOW_PRIMARY is set', async () => {
    const settings = { DATABASE_URL: shops.primaryUrl, DRAIN_DELAY: '1h' }
    const refusing = await start(settings, { unready: true })
    await until(() => refusing.out.includes('ALLOW_PRIMARY'))
    expect((await fetch(`${refusing.opsUrl}/readyz`)).status).to.equal(503)
    const answer = await refusing.ask('/reports/receipts')
    // Keys are not looked up there either: a promoted server may not be the one where keys are revoked.
    expect([answer.status, answer.json.code]).to.deep.equal([503, 'access_unavailable'])
    refusing.child.kill('SIGKILL')

    const { child, exit, ask } = await start({ ...settings, ALLOW_PRIMARY: 'true' })
    expect((await ask('/reports/receipts')).status).to.equal(200)
    expect((await ask('/reports/writes')).status).to.equal(500)
    child.kill('SIGINT')
    expect(await exit, 'SIGINT skips the drain delay').to.equal(0)
  })

  it('ends without an error on a signal while definitions load', async function () {
    if (!existsSync('/proc/self/status')) skip(this, 'there is no /proc')
    // why: with few definitions the signal may come too late
    const text = readFileSync(join(SHOPS_SQL_DIR, 'reports/sales/receipts.sql'), 'utf8')
    const many = Array.from({ length: 300 }, (_, at) => [`reports/sales/copy_${at}.sql`, text])
    const settings = { ...shopsEnvironment(shops), SQL_DIR: shopsFolder(Object.fromEntries(many)) }
    const gateway = startProcess('serve', settings)
    const { pid } = gateway.child
    const handled = () => /^SigCgt:\t(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    // why: Node itself handles SIGTERM from its start
    const SIGUSR2 = 1n << 11n
    await until(() => (BigInt(`0x${handled()}`) & SIGUSR2) !== 0n)
    gateway.child.kill('SIGTERM')
    expect(await gateway.exit).to.equal(0)
    expect(gateway.out).not.to.contain('the API on')
  })

  it('warns of a limit of open files that is too low, and --check-config finds it', async function () {
    if (!existsSync('/proc/self/limits')) skip(this, 'there is no /proc')
    const limited = (limit: number, options = '') =>
      startProcess('serve', shopsEnvironment(shops), {
        prefix: ['sh', '-c', `ulimit -n ${limit}; exec "$@" ${options}`, 'sh'],
      })
    const found =
      'the process may open 600 files, expected 4312: 4000 of MAX_CONNECTIONS and 312 others; raise the limit (ulimit -n, LimitNOFILE=, nofile), or set MAX_CONNECTIONS=288'
    const gateway = limited(600)
    await listening(gateway)
    gateway.child.kill('SIGINT')
    await gateway.exit
    expect(gateway.out).to.contain(`"msg":"${found}"`)
    const check = limited(600, '--check-config')
    expect(await check.exit).to.equal(1)
    expect(check.out).to.contain(`[-]settings failed: ${found}\n`)
  })

  it('logs why a server is unreachable in a line without the stack', async () => {
    const settings = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/erp' }
    const gateway = await start(settings, { unready: true })
    expect((await gateway.ask('/ping')).status).to.equal(503)
    await until(() => gateway.out.includes('access_unavailable'))
    await gateway.stop()
    const lines = gateway.out.split('\n').filter(line => line.includes('ECONNREFUSED'))
    expect(lines).to.have.length.above(1)
    expect(lines.some(line => line.includes('"stack"'))).to.equal(false)
  })

  it('ends with the reason of Node if a host is unknown or a port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const ports = { LOG_LEVEL: 'silent', PORT: '0', OPS_PORT: '0' }
    for (const [setting, value, said] of [
      ['HOST', 'no-such.invalid', 'getaddrinfo ENOTFOUND no-such.invalid'],
      ['OPS_HOST', 'no.invalid', 'getaddrinfo ENOTFOUND no.invalid'],
      ['PORT', String(port), `listen EADDRINUSE: address already in use 127.0.0.1:${port}`],
      ['OPS_PORT', String(port), `listen EADDRINUSE: address already in use 127.0.0.1:${port}`],
    ] as const)
      await expectCommand(
        'serve',
        { ...shopsEnvironment(shops), ...ports, [setting]: value },
        {
          code: 3,
          stderr: `A port cannot be opened, expected PORT and OPS_PORT to be free, and HOST and OPS_HOST of this machine: ${said}\n`,
        },
      )
    other.close()
  })
})
