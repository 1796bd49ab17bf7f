import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { presentedKey } from '../../src/access/api-key.ts'
import { plainRequest } from '../../src/http/plain-request.ts'

const TARGET = '/api/public/v1/reports/profit_loss?from=2026-01-01'

const read = (rawHeaders: string[], rest: Partial<IncomingMessage> = {}) =>
  plainRequest({
    method: 'GET',
    url: TARGET,
    httpVersionMinor: 1,
    rawHeaders,
    ...rest,
  } as IncomingMessage)

describe('plainRequest', () => {
  it('reads what an answer may hang on, in any case', () => {
    const headers = [
      'HOST',
      'h',
      'authoriZation',
      'Bearer k',
      'X-API-KEY',
      'other',
      'Accept',
      '*/*',
    ]
    const more = [
      'accept-encoding',
      'gzip',
      'If-None-Match',
      '"a"',
      'x-request-id',
      '7',
      'DNT',
      '1',
    ]
    expect(read([...headers, ...more])).to.deep.equal({
      method: 'GET',
      target: TARGET,
      key: presentedKey('Bearer k', 'other'),
      requestId: '7',
      ifNoneMatch: '"a"',
      accept: '*/*',
      acceptEncoding: 'gzip',
    })
  })

  it('leaves what is read and stands twice to the ordinary way', () => {
    for (const name of ['Authorization', 'X-Api-Key', 'Accept', 'If-None-Match', 'X-Request-Id']) {
      expect(read([name, 'a', name.toUpperCase(), 'a']), name).to.equal(undefined)
    }
    expect(read(['Cookie', 'a', 'Cookie', 'b'])).to.not.equal(undefined)
  })

  it('leaves what asks for a new run or brings a body, other methods, paths and versions', () => {
    for (const name of ['Cache-Control', 'Content-Length', 'Transfer-Encoding', 'Expect']) {
      expect(read([name, 'x']), name).to.equal(undefined)
    }
    expect(read([], { method: 'POST' })).to.equal(undefined)
    expect(read([], { url: '/api/public/v1' })).to.equal(undefined)
    expect(read([], { url: `http://host${TARGET}` })).to.equal(undefined)
    expect(read([], { httpVersionMinor: 0 })).to.equal(undefined)
  })
})
