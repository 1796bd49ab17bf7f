import { expect } from 'chai'
import { readPgbench } from './pgbench.ts'
import { readLoad } from './wrk.ts'

const WRK = `Running 3s test @ http://127.0.0.1:20000
  1 threads and 64 connections
Requests/sec:  40000.00
{"requests":120000,"durationUs":3000000,"bytes":2640000000,"connect":0,"read":0,"write":0,"timeout":0,"status":0,"p50Us":1100,"p99Us":5200,"maxUs":9000}
`

const PGBENCH = `pgbench (15.14 (Debian 15.14-0+deb12u1), server 18.4)
transaction type: /tmp/x.sql
number of failed transactions: 0 (0.000%)
number of transactions actually processed: 2561
latency average = 0.391 ms
initial connection time = 2.134 ms
tps = 2557.544757 (without initial connection time)
`

describe('what load generators say', () => {
  it("wrk's line of JSON becomes figures a request", () => {
    expect(readLoad(WRK)).to.deep.equal({
      requestCount: 120_000,
      requestsPerSecond: 40_000,
      durationMs: 3000,
      bytesPerRequest: 22_000,
      p50Ms: 1.1,
      p99Ms: 5.2,
      maxMs: 9,
    })
  })

  it('an error of any kind is no measurement', () => {
    for (const kind of ['connect', 'read', 'write', 'timeout', 'status']) {
      expect(() => readLoad(WRK.replace(`"${kind}":0`, `"${kind}":2`))).to.throw(
        `wrk met 2 errors of kind ${kind}`,
      )
    }
    expect(() => readLoad(WRK.replace('"requests":120000', '"requests":0'))).to.throw('no answer')
    expect(() => readLoad('unable to connect')).to.throw('wrk does not say')
  })

  it('pgbench says latency, transactions a second and their number', () => {
    expect(readPgbench(PGBENCH)).to.deep.equal({
      latencyMs: 0.391,
      transactionsPerSecond: 2557.544757,
      transactionCount: 2561,
    })
  })

  it('a failed transaction is no measurement', () => {
    expect(() => readPgbench(PGBENCH.replace('transactions: 0', 'transactions: 4'))).to.throw(
      '4 of',
    )
    expect(() => readPgbench('')).to.throw('pgbench does not say')
  })
})
