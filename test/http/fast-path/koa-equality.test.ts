// Compares a gateway with the fast path to one without it. FAST_PATH=off runs all tests without it.
import { expect } from 'chai'
import type { Fact } from '../../../src/model/observation.ts'
import { gatewaysOfTests, PREFIX } from '../../contract/gateways.ts'
import type { TestGateway } from '../../harness/in-process-gateway.ts'
import { rawAsker } from '../../harness/ask.ts'
import { NOON } from '../../harness/shops-gateway.ts'

const KEY = { 'X-Api-Key': 'key of shop 1' }
const SAME = { ...KEY, 'If-None-Match': 'its own' }
const ENGLISH = { 'Accept-Language': 'en' }

type Sent = Readonly<Record<string, string>>
const REQUESTS: ReadonlyArray<
  readonly [title: string, path: string, headers: Sent, status: number, isFast: boolean]
> = [
  ['a report', '/reports/receipts', KEY, 200, true],
  ['a report with a period', '/reports/receipts?from=2026-01-01&to=2026-06-30', KEY, 200, true],
  ['a compressed report', '/reports/receipts', { ...KEY, 'Accept-Encoding': 'gzip' }, 200, true],
  ['CSV', '/reports/receipts.csv', KEY, 200, true],
  ['CSV by Accept', '/reports/receipts', { ...KEY, Accept: 'text/csv' }, 200, true],
  ['XLSX', '/reports/receipts.xlsx', KEY, 200, true],
  ['a report that the client has cached', '/reports/receipts', SAME, 304, true],
  ['metrics', '/metrics', KEY, 200, true],
  ['metrics that the client has cached', '/metrics?codes=revenue', SAME, 304, true],
  ['an id of the client', '/metrics', { ...KEY, 'X-Request-Id': 'mine' }, 200, true],
  ['an ignored parameter', '/reports/receipts?_=1', KEY, 200, false],
  ['a part', '/reports/receipts', { ...KEY, Range: 'bytes=0-9' }, 206, false],
  ['the list of reports', '/reports', KEY, 200, false],
  ['ping', '/ping', KEY, 200, false],
  ['an unknown key', '/reports/receipts', { 'X-Api-Key': 'none' }, 401, false],
  ['an unknown key in English', '/ping', { 'X-Api-Key': 'none', ...ENGLISH }, 401, false],
  ['no key', '/reports/receipts', {}, 401, false],
  ['a locked organization', '/reports/receipts', { 'X-Api-Key': 'key of shop 4' }, 402, false],
  ['an unknown report', '/reports/none', { ...KEY, ...ENGLISH }, 404, false],
  ['an unknown metric', '/metrics?codes=none', KEY, 404, false],
  ['an invalid period', '/reports/receipts?from=2026-02-30', KEY, 400, false],
]

describe('with and without the fast path', () => {
  const start = gatewaysOfTests()

  it('responses have the same status, headers and bytes, to GET and to HEAD', async () => {
    const [fast, slow] = await Promise.all(['on', 'off'].map(mode => startedWith(start, mode)))
    for (const [title, path, headers, status, isFast] of REQUESTS) {
      for (const method of ['GET', 'HEAD']) {
        const name = `${method} of ${title}`
        const expected = await slow!.ask(path, headers, method)
        const actual = await fast!.ask(path, headers, method)
        expect(actual.response, name).to.deep.equal(expected.response)
        const isPartOfHead = status === 206 && method === 'HEAD'
        expect(actual.response.status, name).to.equal(isPartOfHead ? 200 : status)
        expect([actual.isShortcut, expected.isShortcut], name).to.deep.equal([isFast, false])
      }
    }
  })
})

async function startedWith(start: ReturnType<typeof gatewaysOfTests>, fastPath: string) {
  const { gateway } = await start({ FAST_PATH: fastPath }, { now: () => NOON })
  const ask = rawAsker(gateway.url)
  return {
    /** Sends the request twice, so that the second response may come from the cache. */
    async ask(path: string, { 'If-None-Match': tag, ...headers }: Sent, method: string) {
      const first = await ask(PREFIX + path, headers, method)
      const validator = tag === undefined ? {} : { 'If-None-Match': first.headers.etag ?? '' }
      const {
        status,
        headers: all,
        bytes,
      } = await ask(PREFIX + path, { ...headers, ...validator }, method)
      // why: these headers differ between any two requests or executions
      const { date: _, age: _age, 'server-timing': _timing, 'data-as-of': asOf, ...rest } = all
      const id = rest['x-request-id']
      if (id !== 'mine') rest['x-request-id'] = typeof id
      const body = bytes.toString('latin1').replace(/"requestId":"[^"]+"/, '')
      const response = { status, headers: { ...rest, 'data-as-of': typeof asOf }, body }
      return { response, isShortcut: lastRequest(gateway)?.shortcut }
    },
  }
}

function lastRequest({ observations }: TestGateway) {
  return observations.findLast((fact): fact is Fact<'request'> => fact.kind === 'request')
}
