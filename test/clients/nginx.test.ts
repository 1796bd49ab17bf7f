import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { rawAsker } from '../support/raw-request.ts'
import type { RawAnswer } from '../support/raw-request.ts'
import { breakRuns, clientsGateway, KEY, needs } from './clients.ts'
import { NGINX_PROGRAMS, startNginx } from './nginx.ts'
import type { Nginx } from './nginx.ts'

const FORMATS = ['json', 'ndjson', 'csv', 'csv?preset=excel', 'xlsx', 'parquet']
const HEADERS = { 'X-Api-Key': KEY }
const PATH = '/api/public/v1/reports'

describe('behind nginx', function () {
  this.timeout(60_000)
  const world = clientsGateway({ CACHE_MAX_ENTRY_BYTES: '1MiB' })
  let nginx: Nginx | undefined

  before(async function () {
    const program = await needs(this, 'nginx-light', NGINX_PROGRAMS, ['-v'])
    nginx = await startNginx(program, world.gateway.url)
  })
  after(() => nginx?.stop())

  async function raw(url: string, path: string, headers: object = {}): Promise<RawAnswer> {
    const ask = rawAsker(url)
    try {
      return await ask(PATH + path, { ...HEADERS, ...headers })
    } finally {
      ask.close()
    }
  }

  for (const report of ['ledger', 'noise']) {
    it(`each format is whole, with a length, kept or too large to keep: ${report}`, async () => {
      const whole = (format: string): string => inLastYear(`/${report}.${format}`)
      for (const format of FORMATS) {
        const direct = await raw(world.gateway.url, whole(format))
        const answer = await raw(nginx!.url, whole(format))
        const { status, headers, bytes } = answer
        expect([status, Number(headers['content-length'])], format).to.deep.equal([
          200,
          direct.bytes.length,
        ])
        expect(bytes.equals(direct.bytes), format).to.equal(true)
        expect(headers.etag, format).to.equal(direct.headers.etag)
      }
    })
  }

  it('a part and a coding of what is kept come as the gateway made them', async () => {
    const whole = await raw(nginx!.url, '/ledger.csv')
    const part = await raw(nginx!.url, '/ledger.csv', { Range: 'bytes=1000-' })
    expect([part.status, part.bytes.equals(whole.bytes.subarray(1000))]).to.deep.equal([206, true])
    const coded = await raw(nginx!.url, '/ledger.csv', { 'Accept-Encoding': 'gzip' })
    expect(coded.headers['content-encoding']).to.equal('gzip')
    expect(gunzipSync(coded.bytes).equals(whole.bytes)).to.equal(true)
  })

  it('a run that breaks midway is a status and a problem in each format, never a part', async () => {
    const answers = await breakRuns(world, () =>
      Promise.all(FORMATS.map(format => raw(nginx!.url, `/noise.${format}`))),
    )
    for (const [at, { status, headers, bytes }] of answers.entries()) {
      expect(status, FORMATS[at]).to.be.within(500, 504)
      expect(headers['content-type'], FORMATS[at]).to.include('application/problem+json')
      expect(JSON.parse(bytes.toString()), FORMATS[at]).to.include({ status })
    }
  })

  it('a run that breaks midway cuts the connection where nginx streams, by HTTP/1.1', async () => {
    let begun = 0
    const path = (format: string): string => `${nginx!.newerUrl}${PATH}/noise.${format}`
    const answers = await breakRuns(
      world,
      () => Promise.all(FORMATS.map(format => endOf(path(format), () => void (begun += 1)))),
      () => begun === FORMATS.length,
    )
    expect(answers).to.deep.equal(FORMATS.map(() => 'cut after 200'))
  })

  it('a 304 is had for the ETag that nginx made weak by coding the answer itself', async () => {
    for (const format of FORMATS.filter(format => !/xlsx|parquet/.test(format))) {
      const gzip = { 'Accept-Encoding': 'gzip' }
      const coded = await raw(nginx!.codingUrl, `/ledger.${format}`, gzip)
      const { etag = '' } = coded.headers
      expect([coded.status, coded.headers['content-encoding']]).to.deep.equal([200, 'gzip'])
      expect(etag).to.match(/^W\/"/)
      const again = { ...gzip, 'If-None-Match': etag }
      const known = await raw(nginx!.codingUrl, `/ledger.${format}`, again)
      expect([known.status, known.bytes.length], format).to.deep.equal([304, 0])
    }
  })
})

function endOf(url: string, begun: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { headers: HEADERS, agent: false }, response => {
      begun()
      buffer(response).then(
        () => resolve(`whole after ${response.statusCode}`),
        () => resolve(`cut after ${response.statusCode}`),
      )
    }).on('error', reject)
  })
}

const inLastYear = (path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}from=2025-01-01&to=2025-12-31`
