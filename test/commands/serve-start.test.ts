// What keeps a gateway from starting, or from serving once it has.
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

  it('does not use a writable server, and says so, unless ALLOW_PRIMARY lets it', async () => {
    const settings = { DATABASE_URL: serve.shops.primaryUrl, DRAIN_DELAY: '1h' }
    const refusing = serve.start(settings)
    const { url, opsUrl } = await listening(refusing)
    await until(() => refusing.out.includes('ALLOW_PRIMARY'))
    expect((await fetch(`${opsUrl}/readyz`)).status).to.equal(503)
    const answer = await asker(url, 'key of shop 1')('/reports/receipts')
    // Nor are keys looked up there: a server that was promoted need not be the one that they are revoked on.
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

  it('names the setting that changes a port which is taken', async () => {
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
