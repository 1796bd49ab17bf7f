import { expect } from 'chai'
import * as fc from 'fast-check'
import type { Fact } from '../../src/model/observation.ts'
import { sendRaw } from '../harness/raw-socket.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { inFlight, KEY, PREFIX, requestOf } from './gateways.ts'

/** Request lines without a valid path of the API. */
const TARGETS = [
  'a://b a://b/api/public/v1/ping * // //host/api/public/v1/ping //[::1/x http:// http://[::1 ? #',
  'http:///api/public/v1/ping http://host:99999/ http://host http://host?x http:/api/public/v1/ping',
  'file:///etc/passwd mailto:a@b javascript:alert(1) api/public/v1/ping \\api /% /\0 /\x7f \xff',
  '/\xff\xfe\xa0 /api/public/v1/ping\xa0 /api/public/v1/reports/\xd0\xba /api/public/v1/reports/%',
  '/api/public/v1/reports/%zz /api/public/v1/reports/%E0%A4%A /api/public/v1/reports/%2525252525',
  '/api/public/v1/reports/receipts?from=%zz /api/public/v1/reports/receipts?from=%00',
  '/api/public/v1/reports/__proto__ /api/public/v1/../v1/ping',
].flatMap(line => line.split(' '))
const LINES = [
  ...TARGETS.map(target => `GET ${target} HTTP/1.1`),
  ...'OPTIONS * HTTP/1.1|CONNECT a:443 HTTP/1.1|CONNECT /api/public/v1/ping HTTP/1.1'.split('|'),
  ...'GET  HTTP/1.1|GET HTTP/1.1|GET| / HTTP/1.1|GET / HTTP/9.9|GET /|PRI * HTTP/2.0'.split('|'),
  `GET /${'%'.repeat(15_000)} HTTP/1.1`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1`,
  `GET ${'/'.repeat(16_000)} HTTP/1.1`,
]

describe('a request target', () => {
  const world = shopsGateway()

  const requestsSince = (from: number): Fact<'request'>[] =>
    world.gateway.observations
      .slice(from)
      .filter((fact): fact is Fact<'request'> => fact.kind === 'request')

  async function expectProblem(line: string, headers: string): Promise<void> {
    const from = world.gateway.observations.length
    const text = `${line}\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`
    const response = await sendRaw(world.gateway.url, text)
    const shownLine = JSON.stringify(line.slice(0, 80))
    expect(response, shownLine).to.match(/^HTTP\/1\.1 4\d\d /)
    expect(response, shownLine).to.match(/\r\ncontent-type: application\/problem\+json/i)
    const status = Number(response.slice(9, 12))
    await until(() => requestsSince(from).length > 0)
    const facts = requestsSince(from)
    expect(facts, shownLine).to.have.length(1)
    expect(facts[0], shownLine).to.include({ status, aborted: false })
    expect(response, shownLine).to.include(`"code":"${facts[0]?.problem}"`)
    expect(response, shownLine).to.include(`"requestId":"${facts[0]?.requestId}"`)
  }

  for (const [name, headers] of [
    ['without a key', ''],
    ['with a valid key', KEY],
  ] as const) {
    it(`of any form receives a problem and is observed once, ${name}`, async () => {
      for (const line of LINES) await expectProblem(line, headers)
      expect(await inFlight(world.gateway)).to.equal(0)
    })

    it(`of any bytes receives a problem and is observed once, ${name}`, async () => {
      const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 })
      const targets = fc
        .tuple(fc.constantFrom('', '/', 'a:', '//', 'http://', `${PREFIX}/reports/`), bytes)
        .map(([start, codes]) => start + String.fromCharCode(...codes))
        // why: a blank or a line end would end the target
        .filter(target => !/[ \r\n]/.test(target))
      await fc.assert(
        fc.asyncProperty(targets, target => expectProblem(`GET ${target} HTTP/1.1`, headers)),
        { numRuns: 300, seed: 20261122 },
      )
      expect(await inFlight(world.gateway)).to.equal(0)
    })
  }

  it('that is not a URL leaves no timer and causes no error', async () => {
    const from = world.gateway.observations.length
    const timers = (): number =>
      process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
    const before = timers()
    for (let n = 0; n < 100; n += 1) await expectProblem('GET a://b HTTP/1.1', KEY)
    expect(timers() - before).to.be.lessThan(50)
    const kinds = world.gateway.observations.slice(from).map(({ kind }) => kind)
    expect(kinds).to.not.include('process-error')
  })

  it('may be an absolute URL, or end in a fragment', async () => {
    for (const target of [
      `http://host${PREFIX}/ping`,
      `HTTPS://user@host:1${PREFIX}/ping?x`,
      `${PREFIX}/ping#here`,
    ]) {
      const text = `GET ${target} HTTP/1.1\r\nHost: x\r\n${KEY}Connection: close\r\n\r\n`
      expect(await sendRaw(world.gateway.url, text), target).to.match(/^HTTP\/1\.1 200 /)
    }
  })

  it('is limited to 16 KiB together with the headers', async () => {
    const sized = (bytes: number): string => {
      const others = PREFIX.length + '/ping?'.length + 'HostxX-Api-Keykey of shop 1'.length + 2 * 4
      const fill = 'Connectionclose'.length + 4
      return `GET ${PREFIX}/ping?${'x'.repeat(bytes - others - fill)} HTTP/1.1\r\nHost: x\r\n${KEY}Connection: close\r\n\r\n`
    }
    expect(await sendRaw(world.gateway.url, sized(16_384))).to.match(/^HTTP\/1\.1 200 /)
    expect(await sendRaw(world.gateway.url, sized(16_385))).to.match(
      /^HTTP\/1\.1 431 [^]*"code":"headers_too_large"/,
    )
  })

  it('may have 100 headers, each line counted', async () => {
    const withLines = (count: number): string =>
      requestOf('/ping', `${'a:\r\n'.repeat(count - 3)}${KEY}Connection: close\r\n`)
    expect(await sendRaw(world.gateway.url, withLines(100))).to.match(/^HTTP\/1\.1 200 /)
    for (const count of [101, 102, 4000])
      expect(await sendRaw(world.gateway.url, withLines(count)), `${count}`).to.match(
        /^HTTP\/1\.1 431 [^]*"code":"headers_too_large"/,
      )
  })
})
