// A row may arrive in several reads: bodies are equal wherever the server's bytes are split.
import { expect } from 'chai'
import { fixtures } from '../harness/fixtures.ts'
import { startProxy, type Proxy } from '../harness/proxy.ts'
import { rawAsker } from '../harness/ask.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { PREFIX, shopsFolder } from './gateways.ts'
import { sharedShops } from '../harness/shops.ts'

describe('rows that the network splits', () => {
  const start = gatewaysOfTests()

  /** Starts a gateway with one connection through a proxy. @returns the proxy, and a function that executes the report */
  async function behindProxy(): Promise<{
    proxy: Proxy
    ask: (format: string) => Promise<Buffer>
  }> {
    const { primaryUrl, replicaUrl } = await sharedShops()
    const proxy = await startProxy(replicaUrl)
    const { gateway } = await start({
      DATABASE_URL: proxy.url,
      // why: a replica whose probe is late has no keys, which is another test's subject
      KEYS_DATABASE_URL: primaryUrl,
      PROBE_DATABASE_URL: replicaUrl,
      REPORT_POOL_SIZE: '1',
      SQL_DIR: shopsFolder(fixtures('reports/sales/short')),
    })
    const ask = rawAsker(gateway.url)
    const headers = { 'X-Api-Key': 'key of shop 1', 'Cache-Control': 'no-cache' }
    return {
      proxy,
      async ask(format) {
        const { status, bytes } = await ask(`${PREFIX}/reports/short.${format}`, headers)
        expect(status, bytes.toString()).to.equal(200)
        return bytes
      },
    }
  }

  for (const format of ['json', 'parquet']) {
    it(`have equal bodies wherever they are split in two: ${format}`, async () => {
      const { proxy, ask } = await behindProxy()
      // why: the first executions prepare the statement
      for (let at = 0; at < 8; at += 1) await ask(format)
      const whole = await ask(format)
      let offset = 0
      do {
        proxy.hurt({ cutAfterBytes: (offset += 1) }, 'toClient')
        const bytes = await ask(format)
        if (!bytes.equals(whole)) expect(bytes, `split at ${offset}`).to.deep.equal(whole)
      } while (proxy.cuts === offset)
      expect(offset, 'bytes that the server sends').to.be.within(200, 2000)
    })

    it(`have equal bodies if they arrive byte by byte: ${format}`, async () => {
      const { proxy, ask } = await behindProxy()
      const whole = await ask(format)
      for (const sliceBytes of [1, 2, 3, 5, 7, 64]) {
        proxy.hurt({ sliceBytes }, 'toClient')
        expect((await ask(format)).equals(whole), `${sliceBytes} at a time`).to.equal(true)
      }
    })
  }
})
