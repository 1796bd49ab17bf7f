import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { expect } from 'chai'
import { gatewaysOfTests, PREFIX } from '../contract/gateways.ts'
import { close, listen } from '../../src/serve/http/server.ts'
import { browserOfTests } from './browser.ts'

describe('CORS_ORIGINS in a browser', function () {
  this.timeout(60_000)
  const browser = browserOfTests()
  const start = gatewaysOfTests()
  const servers: Server[] = []
  after(() => Promise.all(servers.map(server => close(server, 0))))

  async function pageOfOtherOrigin(): Promise<string> {
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end('<link rel="icon" href="data:,"><input id="key">')
    })
    servers.push(server)
    return `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`
  }

  it('lets their scripts read responses and tags, and those of no other origin', async () => {
    const [allowed, other] = [await pageOfOtherOrigin(), await pageOfOtherOrigin()]
    const { gateway } = await start({ CORS_ORIGINS: allowed })
    const read = async (origin: string, key: string): Promise<unknown> => {
      const page = await browser.open({ url: origin })
      const result = await page.evaluate(`(async () => {
        const url = ${JSON.stringify(`${gateway.url}${PREFIX}/reports/receipts`)}
        const init = { headers: { 'X-Api-Key': ${JSON.stringify(key)}, 'If-None-Match': '"x"' } }
        try {
          const response = await fetch(url, init)
          const { code } = await response.json()
          return [response.status, code, response.headers.get('ETag') !== null]
        } catch (error) {
          return error.name
        }
      })()`)
      expect(new Set(browser.faults())).to.deep.equal(
        new Set([`request to ${gateway.url}${PREFIX}/reports/receipts`]),
      )
      return result
    }
    expect(await read(allowed, 'key of shop 1')).to.deep.equal([200, 'receipts', true])
    expect(await read(allowed, 'key of shop 1')).to.deep.equal([200, 'receipts', true])
    expect(await read(allowed, 'none')).to.deep.equal([401, 'api_key_invalid', false])
    expect(await read(other, 'key of shop 1')).to.equal('TypeError')
  })
})
