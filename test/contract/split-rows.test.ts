// A row may arrive in several reads: bodies are equal wherever the server's bytes are split.
import { expect } from 'chai'
import { startProxy } from '../harness/proxy.ts'
import type { Proxy } from '../harness/proxy.ts'
import { rawAsker } from '../harness/ask.ts'
import { gatewaysOfTests, PREFIX, shopsFolder } from './gateways.ts'
import { sharedShops } from '../harness/shops.ts'

/** A few rows with nulls and multi-byte characters; short, since one request is sent for each byte. */
const SHORT = `/*---
title: Реестр
columns:
  name: { title: Имя, type: text }
  units: { title: Штук, type: integer }
  amount: { title: Сумма, type: money }
  share: { title: Доля, type: percent }
key: [name]
summary: За {period} {row_count} строк.
timeout: 20s
shared: true
---*/
select n = 0 as is_total, case n when 0 then 3::bigint end as row_count,
  case n when 0 then null when 2 then '' else repeat('ш🙂', n) || :organization_id end as name,
  nullif(n, 1) as units, n * 9007199254740993 as amount, n / 8.0 as share
from generate_series(0, 3) as n
order by is_total desc, n
`

describe('rows that the network splits', function () {
  this.timeout(60_000)
  const start = gatewaysOfTests()

  /** Starts a gateway with one connection through a proxy. @returns the proxy, and a function that executes the report */
  async function behindProxy(): Promise<{
    proxy: Proxy
    ask: (format: string) => Promise<Buffer>
  }> {
    const { replicaUrl } = await sharedShops()
    const proxy = await startProxy(replicaUrl)
    const { gateway } = await start({
      DATABASE_URL: proxy.url,
      KEYS_DATABASE_URL: replicaUrl,
      PROBE_DATABASE_URL: replicaUrl,
      REPORT_POOL_SIZE: '1',
      SQL_DIR: shopsFolder({ 'reports/sales/short.sql': SHORT }),
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
