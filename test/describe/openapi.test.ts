import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import type { OpenApi } from '../harness/documented.ts'
import { PROBLEMS } from '../../src/model/errors.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { expectationsOf, type Documented } from './expectations.ts'

describe('/openapi.json', () => {
  const { ask } = shopsGateway()
  let document: OpenApi
  let expected: ReturnType<typeof expectationsOf>

  before(async () => {
    document = (await ask('/openapi.json')).json
    expected = expectationsOf(document)
  })

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...document })
    expect(errors ?? []).to.deep.equal([])
    expect(valid).to.equal(true)
    const broken = { ...document, paths: { '/ping': { get: { responses: 1 } } } }
    expect((await new Validator().validate(broken)).valid).to.equal(false)
  })

  it('has only references that exist, and no component without one', () => {
    const text = JSON.stringify(document)
    const referred = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, to]) => to!),
    )
    const components = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, named]) => Object.keys(named).map(name => `${kind}/${name}`))
    expect([...referred].toSorted()).to.deep.equal(components.toSorted())
  })

  it('is true for every operation', async () => {
    // why: others fail, sleep, or have a million rows
    const reports = /^\/reports\/(?!receipts)/
    const paths = Object.keys(document.paths).filter(path => !reports.test(path))
    expect(paths).to.include.members(['/ping', '/reports/receipts.parquet', '/metrics/schema'])
    for (const path of paths) {
      const answer = await ask(path)
      expect(answer.status, path).to.equal(200)
      expected.expectDocumented(path, answer)
      const etag = answer.headers.get('ETag')
      if (etag !== null) {
        const again = await ask(path, { headers: { 'If-None-Match': etag } })
        expect(again.status, path).to.equal(304)
        expected.expectDocumented(path, again)
      }
      expected.expectDocumented(path, await ask(path, { key: undefined }))
      expected.expectDocumented(path, await ask(path, { key: 'no key' }))
      expected.expectDocumented(path, await ask(path, { method: 'POST' }))
    }
  })

  it('is true for errors of parameters', async () => {
    const path = '/reports/receipts'
    await ask(path)
    expected.expectDocumented(path, await ask(path, { headers: { Range: 'bytes=100000-' } }))
    for (const query of ['from=x', 'format=x', 'form=2026-01-01', 'page=2', 'compare=x']) {
      const answer = await ask(`${path}?${query}`)
      expect(answer.status, query).to.equal(400)
      expected.expectDocumented(path, answer)
    }
    expected.expectDocumented('/metrics', await ask('/metrics?codes=none'))
    for (const documented of ['/reports/receipts', '/reports/receipts.csv', '/metrics']) {
      const answer = await ask(`${documented}?compare=previous&from=2026-03-01&to=2026-03-31`)
      expect(answer.status).to.equal(200)
      expected.expectDocumented(documented, answer)
    }
  })

  it('has a row schema that the rows of NDJSON match', async () => {
    const row = { $ref: '#/components/schemas/receipts_row' }
    const { text } = await ask('/reports/receipts.ndjson')
    const rows = text.trimEnd().split('\n')
    expect(rows).to.have.length(4)
    for (const line of rows) expected.expectValid(row, JSON.parse(line), line)
    expect(() => expected.expectValid(row, { receipt: 1 }, 'wrong')).to.throw('must be string')
  })

  it('has an example of every error', () => {
    const codes = Object.values(document.components['responses']!).flatMap(response => {
      const { content = {} } = response as Documented
      const { examples = {} } = (content['application/problem+json'] ?? {}) as { examples?: object }
      return Object.entries(examples).map(([name, { value }]) => {
        expected.expectValid({ $ref: '#/components/schemas/Problem' }, value, name)
        expect(name.startsWith(value.code)).to.equal(true)
        return value.code
      })
    })
    expect([...new Set(codes)]).to.have.members(Object.keys(PROBLEMS))
  })

  it('is linked by /ping, /reports and itself, and is not modified until definitions change', async () => {
    for (const path of ['/ping', '/reports', '/openapi.json']) {
      const { headers } = await ask(path)
      expect(headers.get('Link'), path).to.equal(
        '</api/public/v1/openapi.json>; rel="service-desc"',
      )
    }
    const gzip = { headers: { 'Accept-Encoding': 'gzip' } }
    const [plain, compressed] = [
      await ask('/openapi.json', { headers: { 'Accept-Encoding': 'identity' } }),
      await ask('/openapi.json', gzip),
    ]
    expect(compressed.headers.get('Content-Encoding')).to.equal('gzip')
    expect(compressed.text).to.equal(plain.text)
    expect(compressed.headers.get('ETag')).to.not.equal(plain.headers.get('ETag'))
    expect((await ask('/openapi.json', { key: undefined })).status).to.equal(401)
  })
})
