import { expect } from 'chai'
import { sendRaw } from '../harness/raw-socket.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { PREFIX } from './gateways.ts'

const ORIGIN = 'https://bi.example'
const OTHER = 'https://other.example'
const KEY = { 'X-Api-Key': 'key of shop 1' }
const METHOD = { 'Access-Control-Request-Method': 'GET' }

describe('CORS_ORIGINS', () => {
  const start = gatewaysOfTests()

  async function asking(environment: NodeJS.ProcessEnv) {
    const { gateway } = await start(environment)
    return async (path: string, headers: Record<string, string>, method = 'GET') => {
      const { status, headers: found } = await fetch(gateway.url + path, { headers, method })
      return { status, ...Object.fromEntries(found) } as Record<string, unknown>
    }
  }

  it('get 204 for a preflight without a key, and others 401', async () => {
    const ask = await asking({ CORS_ORIGINS: `https://a.example,${ORIGIN}` })
    const path = `${PREFIX}/reports/receipts`
    const found = await ask(path, { ...METHOD, Origin: ORIGIN }, 'OPTIONS')
    expect(found).to.include({ status: 204, 'access-control-allow-origin': ORIGIN })
    expect(found['vary']).to.match(/, Origin$/)
    expect(found['access-control-expose-headers']).to.contain('ETag')
    expect(found['access-control-allow-headers']).to.match(/^Authorization, X-Api-Key,/)
    const others = [OTHER, `${ORIGIN}.evil`, 'null'].map(Origin => ({ ...METHOD, Origin }))
    for (const headers of [{ Origin: ORIGIN }, METHOD, ...others]) {
      const refused = await ask(path, headers, 'OPTIONS')
      expect(refused['status'], JSON.stringify(headers)).to.equal(401)
      expect(refused).to.not.have.property('access-control-allow-headers')
    }
    const refused = await (await asking({}))(path, { ...METHOD, Origin: ORIGIN }, 'OPTIONS')
    expect(refused['status']).to.equal(401)
    expect(refused['vary']).to.not.contain('Origin')
  })

  for (const FAST_PATH of ['on', 'off']) {
    it(`may read every response, and others none, with FAST_PATH=${FAST_PATH}`, async () => {
      const ask = await asking({ CORS_ORIGINS: ORIGIN, FAST_PATH })
      const paths = '/reports/receipts /reports/receipts /ping /reports/none /metrics?page=1'
      for (const path of paths.split(' ')) {
        for (const key of [KEY, {}, { 'X-Api-Key': 'none' }]) {
          const found = await ask(PREFIX + path, { ...key, Origin: ORIGIN })
          expect(found, path).to.include({ 'access-control-allow-origin': ORIGIN })
          expect(found['access-control-expose-headers']).to.contain('Retry-After')
          const refused = await ask(PREFIX + path, { ...key, Origin: OTHER })
          expect(refused, path).to.not.have.any.keys(
            'access-control-allow-origin',
            'access-control-expose-headers',
          )
          for (const { vary } of [found, refused]) expect(vary).to.match(/^Auth.*, Origin$/)
        }
      }
    })
  }
})

describe('every response', () => {
  const start = gatewaysOfTests()

  it('has nosniff and Cross-Origin-Resource-Policy', async () => {
    const { gateway } = await start({ EXPLORER: 'on' })
    const [asset] = /\/assets\/[^"]*/.exec(await (await fetch(gateway.url)).text())!
    const paths = ['/ping', '/reports', '/reports/receipts', '/reports/receipts', '/reports/none']
    const urls = [...paths.map(path => PREFIX + path), '', asset, '/none']
      .map(path => gateway.url + path)
      .concat(['/metrics', '/livez', '/none'].map(path => gateway.opsUrl + path))
    for (const url of urls) {
      for (const headers of [KEY, {}, { 'X-Api-Key': 'none' }]) {
        expect(Object.fromEntries((await fetch(url, { headers })).headers), url).to.include({
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        })
      }
    }
    const large = `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`
    for (const text of ['NONSENSE\r\n\r\n', large]) {
      const response = await sendRaw(gateway.url, text)
      expect(response).to.contain('\r\nCross-Origin-Resource-Policy: same-origin\r\n')
      expect(response).to.contain('\r\nX-Content-Type-Options: nosniff\r\n')
    }
  })
})
