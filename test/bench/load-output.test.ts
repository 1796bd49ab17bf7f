import { expect } from 'chai'
import { readLoad } from './wrk.ts'

const WRK = `Running 3s test @ http://127.0.0.1:20000
  1 threads and 64 connections
Requests/sec:  40000.00
{"requests":120000,"durationUs":3000000,"bytes":2640000000,"connect":0,"read":0,"write":0,"timeout":0,"status":0,"p50Us":1100,"p99Us":5200,"maxUs":9000}
`

describe('what wrk says', () => {
  it('becomes figures a request by its line of JSON', () => {
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
})
