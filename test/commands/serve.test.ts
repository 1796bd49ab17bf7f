import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import { listening, ready, startProcess } from '../support/process.ts'
import { sharedShops, shopsEnvironment, SHOPS_SQL_DIR } from '../support/shops.ts'
import type { Shops } from '../support/shops.ts'
import { until } from '../support/until.ts'

const start = (environment: NodeJS.ProcessEnv) => startProcess('serve', environment)

describe('svodka serve', () => {
  let shops: Shops
  before(async function () {
    this.timeout(60_000)
    shops = await sharedShops()
  })

  it('goes on serving for the drain delay after SIGTERM, not ready, finishes what is in flight, exits 0', async () => {
    const gateway = start({ ...shopsEnvironment(shops), DRAIN_DELAY: '700ms' })
    const { url, opsUrl } = await ready(gateway)
    const ask = asker(url, 'key of shop 1')
    const inFlight = ask('/reports/sleeps')
    gateway.child.kill('SIGTERM')
    await until(async () => (await fetch(`${opsUrl}/readyz`)).status === 503)
    expect((await ask('/ping')).status, 'while draining').to.equal(200)
    expect((await fetch(`${opsUrl}/livez`)).status).to.equal(200)
    expect((await inFlight).status).to.equal(200)
    expect(await gateway.exit).to.equal(0)
  })

  it('skips the delay after SIGINT', async () => {
    const gateway = start({ ...shopsEnvironment(shops), DRAIN_DELAY: '1h' })
    await ready(gateway)
    gateway.child.kill('SIGINT')
    expect(await gateway.exit).to.equal(0)
  })

  it('exits at once at the second signal', async () => {
    const gateway = start({ ...shopsEnvironment(shops), DRAIN_DELAY: '1h' })
    const { opsUrl } = await ready(gateway)
    gateway.child.kill('SIGTERM')
    await until(async () => (await fetch(`${opsUrl}/readyz`)).status === 503)
    gateway.child.kill('SIGTERM')
    expect(await gateway.exit).to.equal(130)
  })

  it('stops the other parts and exits 1 if one cannot be stopped, and the log says which', async () => {
    const preload = new URL('../support/failing-pool-end.js', import.meta.url).href
    const gateway = start({
      ...shopsEnvironment(shops),
      NODE_OPTIONS: `--import=${preload}`,
      DRAIN_DELAY: '0',
    })
    await ready(gateway)
    gateway.child.kill('SIGTERM')
    try {
      await until(() => gateway.child.exitCode !== null)
    } finally {
      gateway.child.kill('SIGKILL')
    }
    expect(await gateway.exit).to.equal(1)
    expect(gateway.err.match(/a pool is ended/g)).to.have.length.greaterThan(1)
    expect(gateway.out).to.match(
      /"level":"error".*the replicas did not stop: Error: the first pool/,
    )
  })

  it('waits for a database that is away, live and not ready', async () => {
    const gateway = start({
      ...shopsEnvironment(shops),
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
    })
    const { opsUrl } = await listening(gateway)
    expect((await fetch(`${opsUrl}/livez`)).status).to.equal(200)
    expect((await fetch(`${opsUrl}/readyz`)).status).to.equal(503)
    gateway.child.kill('SIGINT')
    expect(await gateway.exit).to.equal(0)
  })

  it('does not use a writable server, and says so, unless ALLOW_PRIMARY lets it', async () => {
    const environment = { ...shopsEnvironment(shops), DATABASE_URL: shops.primaryUrl }
    const refusing = start(environment)
    const { url, opsUrl } = await listening(refusing)
    await until(() => refusing.out.includes('ALLOW_PRIMARY'))
    expect((await fetch(`${opsUrl}/readyz`)).status).to.equal(503)
    const answer = await asker(url, 'key of shop 1')('/reports/receipts')
    // Nor are keys looked up there: a server that was promoted need not be the one that they are revoked on.
    expect([answer.status, answer.json.code]).to.deep.equal([503, 'access_unavailable'])
    refusing.child.kill('SIGINT')
    expect(await refusing.exit).to.equal(0)

    const allowing = start({ ...environment, ALLOW_PRIMARY: 'true' })
    const allowed = await ready(allowing)
    expect((await asker(allowed.url, 'key of shop 1')('/reports/receipts')).status).to.equal(200)
    expect((await asker(allowed.url, 'key of shop 1')('/reports/writes')).status).to.equal(500)
    allowing.child.kill('SIGINT')
    expect(await allowing.exit).to.equal(0)
  })

  it('ends the start with all problems of the settings', async () => {
    const gateway = start({ PORT: 'http', LOG_LEVEL: 'loud' })
    expect(await gateway.exit).to.equal(2)
    for (const name of ['DATABASE_URL', 'PORT', 'LOG_LEVEL']) expect(gateway.err).to.contain(name)
  })

  it('ends the start with every problem of every definition', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svodka-sql-'))
    cpSync(SHOPS_SQL_DIR, folder, { recursive: true })
    for (const code of ['one', 'two']) {
      writeFileSync(
        join(folder, `reports/sales/${code}.sql`),
        '/*---\ntitel: Х\n---*/\nselect now()',
      )
    }
    const gateway = start({ ...shopsEnvironment(shops), SQL_DIR: folder })
    expect(await gateway.exit).to.equal(1)
    for (const code of ['one', 'two']) {
      expect(gateway.err).to.match(new RegExp(`reports/sales/${code}.sql:2: .*titel`))
      expect(gateway.err).to.match(new RegExp(`reports/sales/${code}.sql:4: .*now`))
    }
    rmSync(folder, { recursive: true })
  })

  it('names the setting that changes a port which is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    for (const setting of ['PORT', 'OPS_PORT']) {
      const gateway = start({ ...shopsEnvironment(shops), [setting]: String(port) })
      expect(await gateway.exit).to.equal(3)
      expect(gateway.err).to.contain(`Port ${port} on 127.0.0.1 is taken: set ${setting} `)
    }
    other.close()
  })
})
