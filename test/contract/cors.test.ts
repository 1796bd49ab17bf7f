import { expect } from 'chai'
import { sendRaw } from '../harness/raw-socket.ts'
import { gatewaysOfTests, PREFIX } from './gateways.ts'

const ORIGIN = 'https://bi.example'
const KEY = { 'X-Api-Key': 'key of shop 1' }
const PREFLIGHT = { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' }

describe('CORS', () => {
  const start = gatewaysOfTests()

  async function asking(environment: NodeJS.ProcessEnv) {
    const { gateway } = await start(environment)
    return async (path: string, headers: Record<string, string>, method = 'GET') => {
      const response = await fetch(gateway.url + path, { headers, method })
      await response.text()
      return { status: response.status, headers: Object.fromEntries(response.headers) }
    }
  }

  it('answers the preflights of CORS_ORIGINS without a key, and all others with 401', async () => {
    const ask = await asking({ CORS_ORIGINS: `https://a.example,${ORIGIN}` })
    const path = `${PREFIX}/reports/receipts`
    const { status, headers } = await ask(path, PREFLIGHT, 'OPTIONS')
    expect(status).to.equal(204)
    expect(headers).to.include({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, HEAD',
    })
    expect(headers['vary']).to.match(/, Origin$/)
    expect(headers['access-control-allow-headers']).to.match(/^Authorization, X-Api-Key,/)
    const others = [
      { Origin: ORIGIN },
      { 'Access-Control-Request-Method': 'GET' },
      { ...PREFLIGHT, Origin: 'https://other.example' },
      { ...PREFLIGHT, Origin: `${ORIGIN}.evil` },
      { ...PREFLIGHT, Origin: 'null' },
    ]
    for (const each of others) {
      const refused = await ask(path, each, 'OPTIONS')
      expect(refused.status, JSON.stringify(each)).to.equal(401)
      expect(refused.headers['access-control-allow-methods']).to.equal(undefined)
    }
    expect((await ask('/other', PREFLIGHT, 'OPTIONS')).status).to.equal(404)
    const without = await asking({})
    const { headers: plain, ...refused } = await without(path, PREFLIGHT, 'OPTIONS')
    expect([refused.status, plain['vary']]).to.deep.equal([
      401,
      'Authorization, X-Api-Key, Accept, Accept-Encoding, Accept-Language',
    ])
  })

  for (const FAST_PATH of ['on', 'off']) {
    it(`lets CORS_ORIGINS read every response, with FAST_PATH=${FAST_PATH}`, async () => {
      const ask = await asking({ CORS_ORIGINS: ORIGIN, FAST_PATH })
      const paths = ['/reports/receipts', '/reports/receipts', '/ping', '/reports/none', '/metrics']
      for (const path of [...paths, '/metrics?page=1']) {
        for (const [Origin, allowed] of [
          [ORIGIN, ORIGIN],
          ['https://other.example', undefined],
        ] as const) {
          for (const key of [KEY, {}, { 'X-Api-Key': 'none' }]) {
            const { headers } = await ask(PREFIX + path, { ...key, Origin })
            expect(headers['access-control-allow-origin'], path).to.equal(allowed)
            expect(headers['vary'], path).to.match(/^Authorization, [^O]*, Origin$/)
            const exposed = headers['access-control-expose-headers']
            if (allowed === undefined) expect(exposed).to.equal(undefined)
            else expect(exposed).to.contain('ETag').and.contain('Retry-After')
          }
        }
      }
    })
  }
})

describe('every response', () => {
  const start = gatewaysOfTests()

  it('is of no use to pages of other origins', async () => {
    const { gateway } = await start({ EXPLORER: 'on' })
    const page = await (await fetch(gateway.url)).text()
    const [asset] = /\/assets\/[^"]*/.exec(page)!
    const urls = ['/ping', '/reports', '/reports/receipts', '/reports/receipts', '/reports/none']
      .map(path => gateway.url + PREFIX + path)
      .concat(gateway.url, gateway.url + asset, `${gateway.url}/none`)
      .concat(['/metrics', '/livez', '/none'].map(path => gateway.opsUrl + path))
    for (const url of urls) {
      for (const headers of [KEY, {}, { 'X-Api-Key': 'none' }]) {
        const response = await fetch(url, { headers })
        await response.text()
        expect(Object.fromEntries(response.headers), url).to.include({
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        })
      }
    }
    const large = `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`
    for (const text of ['NONSENSE\r\n\r\n', large]) {
      const response = await sendRaw(gateway.url, text)
      expect(response).to.match(/\r\nCross-Origin-Resource-Policy: same-origin\r\n/)
      expect(response).to.match(/\r\nX-Content-Type-Options: nosniff\r\n/)
    }
  })
})
