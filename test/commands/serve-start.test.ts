// What keeps a gateway from starting, or from serving once it has.
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { listening, ready, startProcess } from '../harness/process.ts'
import type { GatewayProcess } from '../harness/process.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import type { Shops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'

describe('svodka serve', function () {
  this.timeout(60_000)
  let shops: Shops
  let gateway: GatewayProcess | undefined
  before(async () => {
    shops = await sharedShops()
  })
  afterEach(() => void gateway?.child.kill('SIGKILL'))

  function start(settings: NodeJS.ProcessEnv): GatewayProcess {
    gateway = startProcess('serve', { ...shopsEnvironment(shops), ...settings })
    return gateway
  }

  it('does not use a writable server, and says so, unless ALLOW_PRIMARY lets it', async () => {
    const settings = { DATABASE_URL: shops.primaryUrl, DRAIN_DELAY: '1h' }
    const refusing = start(settings)
    const { url, opsUrl } = await listening(refusing)
    await until(() => refusing.out.includes('ALLOW_PRIMARY'))
    expect((await fetch(`${opsUrl}/readyz`)).status).to.equal(503)
    const answer = await asker(url, 'key of shop 1')('/reports/receipts')
    // Nor are keys looked up there: a server that was promoted need not be the one that they are revoked on.
    expect([answer.status, answer.json.code]).to.deep.equal([503, 'access_unavailable'])
    refusing.child.kill('SIGKILL')

    const { child, exit } = start({ ...settings, ALLOW_PRIMARY: 'true' })
    const allowed = asker((await ready(gateway!)).url, 'key of shop 1')
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
      const { exit } = start({ [setting]: String(port) })
      expect(await exit).to.equal(3)
      expect(gateway!.err).to.contain(`Port ${port} on 127.0.0.1 is taken: set ${setting} to an`)
    }
    other.close()
  })
})
