import { expect } from 'chai'
import type { Ask } from '../support/ask.ts'
import { shopsGateway } from '../support/world.ts'

describe('problems', () => {
  const world = shopsGateway()
  const ask: Ask = (path, options) => world.ask(path, options)

  it('are RFC 9457 with a code and the request id', async () => {
    const { status, json, headers } = await ask('/reports/none')
    expect(status).to.equal(404)
    expect(headers.get('Content-Type')).to.equal('application/problem+json; charset=utf-8')
    expect(headers.get('Cache-Control')).to.equal('no-store')
    expect(json).to.have.all.keys('type', 'title', 'status', 'detail', 'code', 'requestId')
    expect(json).to.include({ code: 'report_not_found', status: 404 })
    expect(json.requestId).to.equal(headers.get('X-Request-Id'))
  })

  it('keep a request id of the client that fits, and only such', async () => {
    const own = await ask('/ping', { headers: { 'X-Request-Id': 'nightly-2026.11_21' } })
    expect(own.headers.get('X-Request-Id')).to.equal('nightly-2026.11_21')
    for (const id of ['a b', 'x'.repeat(65), '<script>']) {
      const answer = await ask('/ping', { headers: { 'X-Request-Id': id } })
      expect(answer.headers.get('X-Request-Id'))
        .to.match(/^[\w.-]{1,64}$/)
        .and.not.equal(id)
    }
  })

  it('are Russian, or English where Accept-Language prefers it', async () => {
    const russian = [undefined, 'ru', 'de', '*', 'ru-RU,ru;q=0.9,en;q=0.8', 'en;q=0.5, ru;q=0.9']
    const english = ['en', 'en-US,en;q=0.9', 'en;q=0.9, ru;q=0.5', 'de, en;q=0.5']
    for (const language of [...russian, ...english]) {
      // fetch adds "Accept-Language: *" where none is given
      const headers = language === undefined ? {} : { 'Accept-Language': language }
      const { json, headers: answered } = await ask('/reports/none', { headers })
      const expected = english.includes(language ?? '')
        ? 'There is no such report'
        : 'Такого отчёта нет'
      expect(json.title, language).to.equal(expected)
      expect(answered.get('Vary')).to.match(/, Accept-Language$/)
    }
  })

  it('come in the order path, method, parameters', async () => {
    const cases: Array<[string, string, number, string]> = [
      ['GET', '/nothing', 404, 'not_found'],
      ['GET', '/Ping', 404, 'not_found'],
      ['GET', '/ping/', 404, 'not_found'],
      ['GET', '', 404, 'not_found'],
      ['GET', '/reports/', 404, 'not_found'],
      ['GET', '/reports/receipts/', 404, 'not_found'],
      ['GET', '/reports/receipts.docx', 404, 'report_not_found'],
      ['GET', '/reports/RECEIPTS', 404, 'report_not_found'],
      ['GET', '/reports/..%2f..%2fetc', 404, 'report_not_found'],
      ['GET', '/reports/%00', 404, 'report_not_found'],
      ['GET', '/reports/%ZZ', 404, 'report_not_found'],
      ['GET', '/reports/__proto__', 404, 'report_not_found'],
      ['POST', '/nothing', 404, 'not_found'],
      ['POST', '/reports/none?from=x', 404, 'report_not_found'],
      ['POST', '/reports/receipts?from=x', 405, 'method_not_allowed'],
      ['DELETE', '/ping', 405, 'method_not_allowed'],
      ['OPTIONS', '/reports', 405, 'method_not_allowed'],
      ['PUT', '/metrics?codes=none', 405, 'method_not_allowed'],
      ['GET', '/reports/receipts?from=x', 400, 'bad_range'],
    ]
    for (const [method, path, status, code] of cases) {
      const answer = await ask(path, { method })
      expect([answer.status, answer.json.code], `${method} ${path}`).to.deep.equal([status, code])
      if (status === 405) expect(answer.headers.get('Allow')).to.equal('GET, HEAD')
    }
  })

  it('name the parameter of a bad range and what was expected', async () => {
    const bad = [
      'from=',
      'to=2026-02-30',
      'from=2026-01-01&from=2026-01-01',
      'to=1899-12-31',
      'from=yesterday',
    ]
    for (const query of bad) {
      const { status, json } = await ask(`/reports/receipts?${query}`)
      expect(status, query).to.equal(400)
      expect(json.code).to.equal('bad_range')
      expect(json.detail).to.match(new RegExp(`${query.slice(0, query.indexOf('='))}.*2026-01-31`))
    }
    const turned = await ask('/reports/receipts?from=2026-03-01&to=2026-02-01')
    expect(turned.json.detail).to.contain('from').and.to.contain('to')
  })

  it('are 404 outside the prefix, also without a key', async () => {
    for (const path of [
      '/',
      '/ping',
      '/API/public/v1/ping',
      '/api/public/v10/ping',
      '/metrics',
      '/livez',
    ]) {
      const response = await fetch(`${world.gateway.url}${path}`)
      expect(response.status, path).to.equal(404)
      expect(response.headers.get('Content-Type')).to.match(/^application\/problem\+json/)
    }
  })

  it('say what a request that is no HTTP gets', async () => {
    const { connect } = await import('node:net')
    const raw = (text: string) =>
      new Promise<string>((resolve, reject) => {
        let answer = ''
        const socket = connect(Number(new URL(world.gateway.url).port), '127.0.0.1', () =>
          socket.end(text),
        )
        socket
          .on('data', chunk => (answer += chunk))
          .on('end', () => resolve(answer))
          .on('error', reject)
      })
    expect(await raw('NONSENSE\r\n\r\n')).to.match(/^HTTP\/1.1 400 [\s\S]*"code":"bad_request"/)
    expect(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).to.match(
      /^HTTP\/1.1 431 [\s\S]*"code":"headers_too_large"/,
    )
  })
})
