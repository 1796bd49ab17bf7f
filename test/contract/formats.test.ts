import { expect } from 'chai'
import { rawAsker } from '../harness/ask.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { PREFIX } from './gateways.ts'

const TYPES = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
}
const FORMATS = Object.keys(TYPES) as ReadonlyArray<keyof typeof TYPES>
/** The period of receipts, whose CSV has a few hundred bytes. */
const YEAR = 'from=2026-01-01&to=2026-12-31'
const KEY = { 'X-Api-Key': 'key of shop 1' }

describe('the formats of a report', () => {
  const world = shopsGateway({}, { limits: { maxCachedBytes: 1_048_576 } })
  const { ask } = world
  const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    rawAsker(world.gateway.url)(`${PREFIX}${path}`, { ...KEY, ...headers }, method)
  const executionCount = () =>
    world.gateway.observations.filter(({ kind }) => kind === 'execution').length

  for (const format of FORMATS) {
    it(`have a content type, file name and location: ${format}`, async () => {
      const { status, headers } = await raw(`/reports/receipts.${format}?${YEAR}`)
      expect(status).to.equal(200)
      expect(headers['content-type']).to.equal(TYPES[format])
      const suffix = format === 'json' ? '' : `.${format}`
      expect(headers['content-location']).to.equal(`${PREFIX}/reports/receipts${suffix}?${YEAR}`)
      const disposition = headers['content-disposition'] ?? ''
      expect(disposition).to.match(format === 'json' ? /^inline; / : /^attachment; /)
      expect(disposition).to.include(`filename="receipts_2026-01-01_2026-12-31.${format}"`)
      expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).to.equal(
        `Чеки 2026-01-01 — 2026-12-31.${format}`,
      )
    })

    it(`are chosen by suffix, parameter and Accept with equal results: ${format}`, async () => {
      const [suffix, parameter, accepted] = await Promise.all([
        raw(`/reports/receipts.${format}?${YEAR}`, { Accept: 'image/png' }),
        raw(`/reports/receipts?${YEAR}&format=${format}`, { Accept: TYPES.json }),
        raw(`/reports/receipts?${YEAR}`, { Accept: `${TYPES[format].split(';')[0]}, */*;q=0.1` }),
      ])
      expect(parameter.bytes).to.deep.equal(suffix.bytes)
      expect(accepted.bytes).to.deep.equal(suffix.bytes)
      expect(accepted.headers.etag).to.equal(suffix.headers.etag)
    })
  }

  it('are executed and cached each by itself', async () => {
    const before = executionCount()
    for (const suffix of [...FORMATS.map(format => `${format}?`), 'csv?preset=excel&']) {
      const path = `/reports/receipts.${suffix}from=2026-01-01&to=2026-11-01`
      const [miss, hit] = [await ask(path), await ask(path)]
      expect(miss.headers.get('Cache-Status')).to.equal('svodka; fwd=miss; stored')
      expect(hit.headers.get('Cache-Status')).to.match(/^svodka; hit; ttl=\d+$/)
      expect(hit.headers.get('ETag')).to.equal(miss.headers.get('ETag'))
    }
    expect(executionCount() - before).to.equal(FORMATS.length + 1)
  })

  it('have a last line and a variant for Excel, if requested', async () => {
    const { text } = await ask(`/reports/receipts.ndjson?${YEAR}&end=true`)
    const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as object
    const { json } = await ask(`/reports/receipts?${YEAR}`)
    expect(last).to.deep.equal({
      _end: true,
      rows: json.rows.length,
      totals: json.totals,
      summary: json.summary,
    })
    const without = await ask(`/reports/receipts.ndjson?${YEAR}&end=false`)
    expect(without.text).to.equal((await ask(`/reports/receipts.ndjson?${YEAR}`)).text)
    const excel = await raw(`/reports/receipts.csv?${YEAR}&preset=excel`)
    const start = excel.bytes.toString('utf8', 0, 1000)
    expect(excel.bytes.subarray(0, 3), start).to.deep.equal(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(excel.headers['content-location']).to.match(/receipts\.csv\?.*&preset=excel$/)
  })

  const CHOSEN: ReadonlyArray<readonly [path: string, accept: string, format: keyof typeof TYPES]> =
    [
      ['.xlsx?format=csv', 'text/csv', 'xlsx'],
      ['?format=parquet', 'text/csv', 'parquet'],
      ['?preset=excel&end=false', '', 'json'],
      ['', '', 'json'],
      ['', 'image/png', 'json'],
      ['', 'text/csv;q=x', 'json'],
      ['', 'text/csv', 'csv'],
      ['', 'text/csv; charset=utf-8; header=present', 'csv'],
      ['', 'application/json;q=0.5, text/csv;charset=utf-8;q=0.9', 'csv'],
      ['', 'text/csv;q=0.1, */*', 'json'],
      ['', 'text/csv; q=0.1, application/json ;\tq=0.9', 'json'],
      ['', 'text/csv; charset=utf-8; q=0, application/json; q=0.1', 'json'],
      ['', 'Text/*, application/json;q=0.9', 'csv'],
      ['', 'text/*;q=0.9, text/csv;q=0.1, application/json;q=0.5', 'json'],
      ['', 'text/*, application/json', 'json'],
      ['', ' ,,;q=1, text/csv, application/json', 'csv'],
      ['', 'text/csv;q=-1, application/json;q=0.1', 'json'],
    ]
  for (const [path, accept, format] of CHOSEN) {
    it(`are chosen by "${path}" and by "${accept}": ${format}`, async () => {
      const { headers } = await raw(`/reports/receipts${path}`, { Accept: accept })
      expect(headers['content-type']).to.equal(TYPES[format])
    })
  }

  const formats = 'expected one of json, ndjson, csv, xlsx, parquet'
  for (const [path, status, code, detail] of [
    ['receipts.docx', 404, 'report_not_found', ''],
    ['receipts.', 404, 'report_not_found', ''],
    ['receipts.CSV', 404, 'report_not_found', ''],
    ['receipts.csv.csv', 404, 'report_not_found', ''],
    ['no_such.csv', 404, 'report_not_found', ''],
    ['receipts?format=docx', 400, 'bad_format', `format is "docx"; ${formats}`],
    ['receipts.csv?format=CSV', 400, 'bad_format', `format is "CSV"; ${formats}`],
    ['receipts?format=', 400, 'bad_format', `format is empty; ${formats}`],
    ['receipts?format=csv&format=csv', 400, 'bad_request', 'format is given more than once'],
    ['receipts?preset=word', 400, 'bad_format', 'preset is "word"; expected one of excel'],
    ['receipts.csv?preset=word', 400, 'bad_format', 'preset is "word"; expected one of excel'],
    ['receipts.ndjson?end=1', 400, 'bad_format', 'end is "1"; expected one of true, false'],
  ] as const) {
    it(`are ${status} ${code} for ${path}`, async () => {
      const response = await ask(`/reports/${path}`, { headers: { 'Accept-Language': 'en' } })
      expect([response.status, response.json.code]).to.deep.equal([status, code])
      expect(response.json.detail).to.include(detail)
    })
  }

  for (const [range, condition, first, last] of [
    ['bytes=0-9', '', 0, 9],
    ['bytes=0-', '', 0, -1],
    ['bytes=90-', 'If-Range: the same', 90, -1],
    ['bytes=90-', 'If-Match: the same', 90, -1],
    ['bytes=90-', 'If-Match: the same If-Range: "other"', undefined, 'all'],
    ['bytes=90-99999', '', 90, -1],
    ['bytes=-10', '', -10, -1],
    ['bytes=-99999', '', 0, -1],
    ['Bytes=5-5', '', 5, 5],
    ['bytes=5-', 'If-Range: "other"', undefined, 'all'],
    ['bytes=5-', 'If-Range: weak', undefined, 'all'],
    ['bytes=99999-', 'If-Match: the same', undefined, 'none'],
    ['bytes=-0', '', undefined, 'none'],
    ['bytes=99999-99999', '', undefined, 'none'],
    ['bytes=999999999999999999999-', 'If-Range: the same', undefined, 'none'],
    ['bytes=1-', '', undefined, 428],
    ['BYTES=01-', '', undefined, 428],
    ['bytes=1-', 'If-Range:', undefined, 428],
    ['bytes=1-', 'If-Match: *', undefined, 428],
    ['bytes=1-', 'If-Match: "other", the same', undefined, 428],
    ['bytes=length-', '', undefined, 428],
    ['bytes=99999-', '', undefined, 428],
    ['bytes=1-', 'If-Match: "other"', undefined, 412],
    ['bytes=1-', 'If-Match: weak', undefined, 412],
    ['bytes=0-9', 'If-Match: "other"', undefined, 412],
    ['bytes=length-', 'If-Match: "other"', undefined, 412],
    ['bytes=0-', 'If-Match:', undefined, 412],
    ['bytes=0-', 'If-Match: *', 0, -1],
    ['bytes=0-', 'If-Match: "other", the same', 0, -1],
    ['bytes=0-1,5-6', '', undefined, 'all'],
    ['rows=0-1', '', undefined, 'all'],
    ['bytes=9-5', '', undefined, 'all'],
    ['bytes=99999-5', '', undefined, 'all'],
    ['rows=99999-', '', undefined, 'all'],
    ['bytes=-', '', undefined, 'all'],
    ['bytes', '', undefined, 'all'],
  ] as const) {
    it(`are sent in part by "${range}"${condition && `, ${condition}`}`, async () => {
      const path = `/reports/receipts.csv?${YEAR}`
      const whole = await raw(path)
      expect(whole.headers['accept-ranges']).to.equal('bytes')
      const { length } = whole.bytes
      const etag = whole.headers.etag ?? ''
      const conditions = condition.replace('the same', etag).replace('weak', `W/${etag}`)
      const rangeHeaders = {
        Range: range.replace('length', String(length)),
        ...Object.fromEntries(
          [...conditions.matchAll(/(If-\w+): ?(.*?)(?= If-|$)/g)].map(([, name, value]) => [
            name,
            value,
          ]),
        ),
      }
      const part = await raw(path, rangeHeaders)
      const place = (at: number): number => (at < 0 ? length + at : at)
      const actual = [part.status, part.headers['content-range']]
      if (last === 'none') expect(actual).to.deep.equal([416, `bytes */${length}`])
      else if (first === undefined && last !== 'all') {
        const code = last === 412 ? 'precondition_failed' : 'precondition_required'
        expect([...actual, JSON.parse(String(part.bytes)).code]).to.deep.equal([
          last,
          undefined,
          code,
        ])
      } else if (last === 'all') expect(actual).to.deep.equal([200, undefined])
      else {
        const [start, end] = [place(first), place(last)]
        expect(actual).to.deep.equal([206, `bytes ${start}-${end}/${length}`])
        expect(part.bytes.equals(whole.bytes.subarray(start, end + 1))).to.equal(true)
      }
      const notModified = await raw(path, { ...rangeHeaders, 'If-None-Match': etag })
      expect(notModified.status, 'if the client has cached it').to.equal(last === 412 ? 412 : 304)
    })
  }

  it('are 428 with a body of another length than the part, which curl would take for complete', async () => {
    const path = `/reports/receipts.csv?${YEAR}`
    const { length } = (await raw(path, { Range: 'bytes=100-' })).bytes
    const { status, bytes } = await raw(path, { Range: `bytes=${length}-` })
    expect([status, bytes.length]).to.deep.equal([428, length + 1])
  })

  it('are 412 for HEAD and for the whole response, if If-Match has another tag', async () => {
    for (const path of [
      `/reports/receipts?${YEAR}`,
      `/metrics?${YEAR}`,
      '/reports/receipts/schema',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const { headers, status } = await raw(path, {}, method)
        expect(status).to.equal(200)
        const same = await raw(path, { 'If-Match': headers.etag! }, method)
        expect(same.status).to.equal(200)
        const other = await raw(path, { 'If-Match': '"other"' }, method)
        expect([other.status, other.headers['cache-control']]).to.deep.equal([412, 'no-store'])
      }
    }
  })
})
