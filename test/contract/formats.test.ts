import { expect } from 'chai'
import type { Ask } from '../support/ask.ts'
import { ask10 } from '../support/http-1.0.ts'
import { rawAsker } from '../support/raw-request.ts'
import { shopsGateway } from '../support/world.ts'

const TYPES = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
}
const FORMATS = Object.keys(TYPES) as ReadonlyArray<keyof typeof TYPES>
const YEAR = 'from=2026-01-01&to=2026-12-31'
const KEY = { 'X-Api-Key': 'key of shop 1' }

describe('the formats of a report', () => {
  const world = shopsGateway({ CACHE_MAX_ENTRY_BYTES: '1MiB' })
  const ask: Ask = (path, options) => world.ask(path, options)
  const raw = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const asker = rawAsker(world.gateway.url)
    try {
      return await asker(`/api/public/v1${path}`, { ...KEY, ...headers }, method)
    } finally {
      asker.close()
    }
  }
  const runs = () => world.gateway.observations.filter(({ kind }) => kind === 'run').length

  for (const format of FORMATS) {
    it(`are told by type, file name and place: ${format}`, async () => {
      const { status, headers } = await raw(`/reports/receipts.${format}?${YEAR}`)
      expect(status).to.equal(200)
      expect(headers['content-type']).to.equal(TYPES[format])
      const suffix = format === 'json' ? '' : `.${format}`
      expect(headers['content-location']).to.equal(
        `/api/public/v1/reports/receipts${suffix}?${YEAR}`,
      )
      const disposition = headers['content-disposition'] ?? ''
      expect(disposition).to.match(format === 'json' ? /^inline; / : /^attachment; /)
      expect(disposition).to.include(`filename="receipts_2026-01-01_2026-12-31.${format}"`)
      expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).to.equal(
        `Чеки 2026-01-01 — 2026-12-31.${format}`,
      )
    })

    it(`are asked by suffix, parameter and Accept alike: ${format}`, async () => {
      const [suffix, parameter, accepted] = await Promise.all([
        raw(`/reports/receipts.${format}?${YEAR}`, { Accept: 'image/png' }),
        raw(`/reports/receipts?${YEAR}&format=${format}`, { Accept: TYPES.json }),
        raw(`/reports/receipts?${YEAR}`, { Accept: `${TYPES[format].split(';')[0]}, */*;q=0.1` }),
      ])
      expect(parameter.bytes).to.deep.equal(suffix.bytes)
      expect(accepted.bytes).to.deep.equal(suffix.bytes)
      expect(accepted.headers.etag).to.equal(suffix.headers.etag)
    })

    it(`answer HEAD as GET, without a body: ${format}`, async () => {
      const path = `/reports/receipts.${format}?${YEAR}`
      const whole = await raw(path)
      const head = await raw(path, {}, 'HEAD')
      const { date: _, 'x-request-id': __, 'server-timing': ___, ...headers } = head.headers
      expect(whole.headers).to.deep.include(headers)
      expect(head.bytes).to.have.length(0)
      expect(Number(head.headers['content-length'])).to.equal(whole.bytes.length)
    })

    it(`are streamed where they are too large to keep, and whole by HTTP/1.0: ${format}`, async () => {
      const path = `/reports/register.${format}`
      const streamed = await raw(path)
      expect(streamed.status).to.equal(200)
      const isKept = streamed.headers.etag !== undefined
      expect(streamed.headers['transfer-encoding']).to.equal(isKept ? undefined : 'chunked')
      const whole = await ask10(`${world.gateway.url}/api/public/v1${path}`, KEY)
      expect(whole.status).to.equal(200)
      expect(whole.headers.get('content-length')).to.equal(String(whole.body.length))
      expect(whole.headers.get('transfer-encoding')).to.equal(undefined)
      expect(whole.body.equals(streamed.bytes)).to.equal(true)
    })
  }

  it('are made of one run, whichever comes first', async () => {
    for (const [at, first] of FORMATS.entries()) {
      const period = `from=2026-01-01&to=2026-11-0${at + 1}`
      const before = runs()
      const { headers } = await ask(`/reports/receipts.${first}?${period}`)
      expect(headers.get('Cache-Status')).to.equal('svodka; fwd=miss; stored')
      for (const format of FORMATS) {
        const next = await ask(`/reports/receipts.${format}?${period}`)
        expect(next.headers.get('Cache-Status')).to.match(/^svodka; hit; ttl=\d+$/)
        expect(next.headers.get('Data-As-Of')).to.equal(headers.get('Data-As-Of'))
      }
      expect(runs() - before).to.equal(1)
    }
  })

  it('are the same bytes, made by a run or of the JSON that is kept', async () => {
    for (const [at, format] of FORMATS.entries()) {
      const period = `from=2026-01-01&to=2026-10-0${at + 1}`
      const byRun = await raw(`/reports/receipts.${format}?${period}`, {
        'Cache-Control': 'no-cache',
      })
      await raw(`/reports/receipts?${period}`, { 'Cache-Control': 'no-cache' })
      const before = runs()
      const byJson = await raw(`/reports/receipts.${format}?${period}`)
      expect(runs()).to.equal(before)
      expect(byJson.bytes.equals(byRun.bytes), format).to.equal(true)
      expect(byJson.headers.etag).to.equal(byRun.headers.etag)
    }
  })

  it('have shapes for who asks: a last line, and a file for Excel', async () => {
    const { text } = await ask(`/reports/receipts.ndjson?${YEAR}&end=true`)
    const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as object
    const { json } = await ask(`/reports/receipts?${YEAR}`)
    expect(last).to.deep.equal({
      _end: true,
      rows: json.rows.length,
      totals: json.totals,
      summary: json.summary,
    })
    const excel = await raw(`/reports/receipts.csv?${YEAR}&preset=excel`)
    expect(excel.bytes.subarray(0, 3)).to.deep.equal(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(excel.headers['content-location']).to.match(/receipts\.csv\?.*&preset=excel$/)
  })

  it('are 404 by a suffix and 400 by a parameter that there is none of', async () => {
    for (const [path, status, code] of [
      ['/reports/receipts.docx', 404, 'report_not_found'],
      ['/reports/receipts.', 404, 'report_not_found'],
      ['/reports/no_such.csv', 404, 'report_not_found'],
      ['/reports/receipts?format=docx', 400, 'bad_format'],
      ['/reports/receipts.csv?preset=word', 400, 'bad_format'],
    ] as const) {
      const answer = await ask(path)
      expect([answer.status, answer.json.code], path).to.deep.equal([status, code])
    }
  })

  it('are to be had in part, and in no part that there is not', async () => {
    const path = `/reports/receipts.csv?${YEAR}`
    const whole = await raw(path)
    const etag = whole.headers.etag ?? ''
    expect(whole.headers['accept-ranges']).to.equal('bytes')
    const rest = await raw(path, { Range: 'bytes=10-', 'If-Range': etag })
    expect(rest.status).to.equal(206)
    expect(rest.headers['content-range']).to.equal(
      `bytes 10-${whole.bytes.length - 1}/${whole.bytes.length}`,
    )
    expect(rest.bytes.equals(whole.bytes.subarray(10))).to.equal(true)
    const changed = await raw(path, { Range: 'bytes=10-', 'If-Range': '"of another"' })
    expect([changed.status, changed.headers['content-range']]).to.deep.equal([200, undefined])
    const past = await raw(path, { Range: 'bytes=1000000-' })
    expect(past.status).to.equal(416)
    expect(past.headers['content-range']).to.equal(`bytes */${whole.bytes.length}`)
    const known = await raw(path, { Range: 'bytes=10-', 'If-None-Match': etag })
    expect(known.status).to.equal(304)
  })
})

describe('an answer to HTTP/1.0 that is too large to wait for its end', () => {
  const world = shopsGateway({ CACHE_MAX_ENTRY_BYTES: '64KiB', SPOOL_MAX_BYTES: '1MiB' })

  it('is refused whole, with a length', async () => {
    const answer = await ask10(`${world.gateway.url}/api/public/v1/reports/register`, KEY)
    expect(answer.status).to.equal(400)
    expect(JSON.parse(answer.body.toString())).to.include({ code: 'result_too_large' })
  })
})
