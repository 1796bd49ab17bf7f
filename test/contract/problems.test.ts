import { expect } from 'chai'
import { shopsGateway } from '../harness/shops-gateway.ts'

describe('problems', () => {
  const world = shopsGateway()
  const { ask } = world

  it('are RFC 9457 with a code and the request id', async () => {
    const { status, json, headers } = await ask('/reports/none')
    expect(status).to.equal(404)
    expect(headers.get('Content-Type')).to.equal('application/problem+json; charset=utf-8')
    expect(headers.get('Cache-Control')).to.equal('no-store')
    expect(json).to.have.all.keys('type', 'title', 'status', 'detail', 'code', 'requestId')
    expect(json).to.include({ code: 'report_not_found', status: 404 })
    expect(json.requestId).to.equal(headers.get('X-Request-Id'))
  })

  it('have the valid request id of the client, or a generated one', async () => {
    for (const id of ['nightly-2026.11_21', 'x'.repeat(64), '7']) {
      const { headers } = await ask('/ping', { headers: { 'X-Request-Id': id } })
      expect(headers.get('X-Request-Id')).to.equal(id)
    }
    const generated: Array<string | null> = []
    for (const id of ['', 'a b', 'x'.repeat(65), '<script>', '"a"', 'a,b']) {
      const { headers } = await ask('/ping', { headers: { 'X-Request-Id': id } })
      generated.push(headers.get('X-Request-Id'))
    }
    for (const id of generated) expect(id).to.match(/^[0-9a-f-]{36}$/)
    expect(new Set(generated).size).to.equal(generated.length)
  })

  const russian =
    'ru|de|*|ru-RU,ru;q=0.9,en;q=0.8|en;q=0.5, ru;q=0.9|,;,|en;q=0|en;q=0.5, *|eng|ru, en'
  const english =
    'en|EN-gb|en-US,en;q=0.9|en-US,ru;q=0.9,en;q=0.8|en-GB, ru;q=0.9, en;q=0.8|en;q=0.9, ru;q=0.5|de, en;q=0.5|ru;q=0, *|en, ru'
  for (const [languages, title] of [
    [russian, 'Такого отчёта нет'],
    [english, 'There is no such report'],
  ] as const) {
    it(`are "${title}" for Accept-Language ${languages}`, async () => {
      for (const language of languages.split('|')) {
        const { json, headers } = await ask('/reports/none', {
          headers: { 'Accept-Language': language },
        })
        expect(json.title, language).to.equal(title)
        expect(headers.get('Vary')).to.match(/, Accept-Language$/)
      }
    })
  }

  it('come in the order path, method, parameters', async () => {
    const cases: Array<[string, string, number, string]> = [
      ['GET', '/nothing', 404, 'not_found'],
      ['GET', '/Ping', 404, 'not_found'],
      ['GET', '/ping/', 404, 'not_found'],
      ['GET', '/reports/receipts/', 404, 'not_found'],
      ['GET', '/reports/RECEIPTS', 404, 'report_not_found'],
      ['GET', '/reports/..%2f..%2fetc', 404, 'report_not_found'],
      ['GET', '/reports/%00', 404, 'report_not_found'],
      ['POST', '/nothing', 404, 'not_found'],
      ['POST', '/reports/none?from=x', 404, 'report_not_found'],
      ['POST', '/reports/receipts?from=x', 405, 'method_not_allowed'],
      ['DELETE', '/ping', 405, 'method_not_allowed'],
      ['OPTIONS', '/reports', 405, 'method_not_allowed'],
      ['GET', '/reports/receipts?from=x', 400, 'bad_range'],
    ]
    for (const [method, path, status, code] of cases) {
      const response = await ask(path, { method })
      expect([response.status, response.json.code], `${method} ${path}`).to.deep.equal([
        status,
        code,
      ])
      if (status === 405) expect(response.headers.get('Allow')).to.equal('GET, HEAD')
    }
  })

  it('name the parameter of a bad range and what was expected', async () => {
    for (const query of [
      'from=',
      'to=2026-02-30',
      'from=2026-01-01&from=2026-01-01',
      'to=1899-12-31',
      'from=yesterday',
    ]) {
      const { status, json } = await ask(`/reports/receipts?${query}`)
      expect([status, json.code], query).to.deep.equal([400, 'bad_range'])
      const name = query.slice(0, query.indexOf('='))
      expect(json.detail).to.match(new RegExp(`${name}.*(?:2026-01-31|ожидался один раз)`))
    }
    const reversed = await ask('/reports/receipts?from=2026-03-01&to=2026-02-01')
    expect(reversed.json.detail).to.contain('from').and.to.contain('to')
  })

  it('repeat what a client sent, also names in braces that every object has', async () => {
    for (const name of ['{constructor}', '{toString}', '{__proto__}']) {
      expect((await ask(`/reports/${name}`)).json.detail).to.contain(name)
      expect((await ask(`/reports/receipts?${name}=1`)).json.detail).to.contain(name)
    }
  })

  it('are 404 outside the prefix, also without a key', async () => {
    const paths = '/|/ping|/API/public/v1/ping|/api/public/v10/ping|/metrics|/livez'
    for (const path of paths.split('|')) {
      const response = await fetch(`${world.gateway.url}${path}`)
      expect(response.status, path).to.equal(404)
      expect(response.headers.get('Content-Type')).to.match(/^application\/problem\+json/)
    }
  })
})
