// Several gateways behind the real HAProxy, with the recipe of config/.
import { expect } from 'chai'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { until } from '../harness/until.ts'
import { needsHaproxy, startHaproxy, type Front } from './haproxy.ts'

const API = '/api/public/v1'
const KEY = 'key of shop 1'
const basic = (pair: string) => ({
  Authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
})
const PRESENTED = {
  Bearer: { Authorization: `Bearer ${KEY}` },
  'bearer in lower case': { Authorization: `bearer  ${KEY}` },
  'X-Api-Key': { 'X-Api-Key': KEY },
  'X-Api-Key beside another scheme': { Authorization: 'Digest x', 'X-Api-Key': KEY },
  'Bearer before X-Api-Key': { Authorization: `Bearer ${KEY}`, 'X-Api-Key': 'key of shop 2' },
  'Basic, password': basic(`power-bi:${KEY}`),
  'Basic, user name': basic(`${KEY}:`),
} as const

describe('three gateways behind HAProxy', () => {
  let gateways: TestGateway[]
  let front: Front

  before(async function () {
    needsHaproxy(this)
    gateways = await Promise.all([1, 2, 3].map(() => startGateway({ REPORT_POOL_SIZE: '2' })))
    front = await startHaproxy(gateways)
  })
  after(async () => {
    await front?.stop()
    await Promise.all((gateways ?? []).map(gateway => gateway.stop()))
  })

  /** Number of requests with a key that each gateway has received. */
  const counts = (): number[] =>
    gateways.map(
      ({ observations }) => observations.filter(({ kind }) => kind === 'key-checked').length,
    )

  /** Indexes of the gateways that receive the requests of `work`. */
  async function gatewaysOf(work: () => Promise<unknown>): Promise<number[]> {
    const before = counts()
    await work()
    return counts().flatMap((count, at) => (count > before[at]! ? [at] : []))
  }

  it('send one key to one gateway, whichever header has it', async () => {
    const statuses: number[] = []
    const met = await gatewaysOf(async () => {
      for (const headers of Object.values(PRESENTED))
        statuses.push((await front.ask(`${API}/ping`, headers)).status)
    })
    expect(statuses).to.deep.equal(Object.keys(PRESENTED).map(() => 200))
    expect(met).to.have.length(1)
  })

  it('spread keys, and requests without one', async () => {
    const keys = await gatewaysOf(async () => {
      for (let at = 0; at < 40; at += 1)
        await front.ask(`${API}/ping`, { 'X-Api-Key': `unknown key ${at}` })
    })
    expect(keys).to.deep.equal([0, 1, 2])
    const none = await gatewaysOf(async () => {
      for (let at = 0; at < 40; at += 1) await front.ask(`${API}/ping`)
    })
    expect(none).to.deep.equal([0, 1, 2])
  })

  it('keep a valid X-Request-Id, else make one', async () => {
    const own = await front.ask(`${API}/ping`, { ...PRESENTED.Bearer, 'X-Request-Id': 'mine-1' })
    expect(own.headers['x-request-id']).to.equal('mine-1')
    const made = await front.ask(`${API}/ping`, { ...PRESENTED.Bearer, 'X-Request-Id': 'a b' })
    const id = String(made.headers['x-request-id'])
    expect(id).to.match(/^[a-z0-9-]{32,36}$/)
    await until(() => front.log().includes(id) && front.log().includes('mine-1'))
  })

  it('log no key', async () => {
    await front.ask(`${API}/reports/receipts`, PRESENTED['Basic, user name'])
    await front.ask(`${API}/reports/receipts`, PRESENTED['Basic, password'])
    await until(() => front.log().includes('/reports/receipts'))
    expect(front.log()).not.to.include('key of')
  })

  it('leave compression and caching to the gateway', async () => {
    const path = `${API}/reports/receipts`
    const first = await front.ask(path, { ...PRESENTED.Bearer, 'Accept-Encoding': 'gzip' })
    const again = await front.ask(path, {
      ...PRESENTED.Bearer,
      'Accept-Encoding': 'gzip',
      'If-None-Match': String(first.headers.etag),
    })
    expect([first.status, again.status]).to.deep.equal([200, 304])
    expect(again.headers.etag).to.equal(first.headers.etag)
    expect(again.headers['cache-status']).to.match(/^svodka; hit/)
  })

  it('pass on the problem of headers that are too large', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => [`X-${at}`, ''])
    for (const sent of [{ 'X-Large': 'x'.repeat(17_000) }, Object.fromEntries(many)]) {
      const { status, headers } = await front.ask(`${API}/ping`, sent)
      expect([status, headers['content-type']]).to.deep.equal([
        431,
        'application/problem+json; charset=utf-8',
      ])
    }
  })
})
