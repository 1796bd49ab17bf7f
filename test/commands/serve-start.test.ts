// Errors that prevent the gateway from starting or from becoming ready.
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { listening, ready } from '../harness/process.ts'
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

  it('warns of a misspelt setting, and does not log its value', async () => {
    const gateway = serve.start({ REPORT_POOL_SIZ: 'its value' })
    await listening(gateway)
    gateway.child.kill('SIGINT')
    await gateway.exit
    const warnings = gateway.out.split('\n').filter(line => line.includes('"warn"'))
    expect(warnings.map(line => JSON.parse(line).msg)).to.include(
      'REPORT_POOL_SIZ is not a setting: is REPORT_POOL_SIZE meant?',
    )
    expect(gateway.out + gateway.err).not.to.contain('its value')
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
