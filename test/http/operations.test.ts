import { expect } from 'chai'
import supertest from 'supertest'
import type { Check, OperationsOptions } from '../../src/http/operations.ts'
import { createOperations } from '../../src/http/operations.ts'
import type { Observation } from '../../src/observation.ts'

const ready: readonly Check[] = [
  { name: 'definitions', ok: true },
  { name: 'database', ok: true },
]
const contentType = 'text/plain; version=0.0.4; charset=utf-8'

function ask(options: Partial<OperationsOptions> = {}): ReturnType<typeof supertest> {
  const app = createOperations({
    exposition: async () => ({ contentType, text: 'svodka_draining 0\n' }),
    readiness: () => ready,
    busiest: () => [],
    observe: () => undefined,
    ...options,
  })
  return supertest(app.callback())
}

describe('the operations port', () => {
  it('lists the busiest organizations', async () => {
    const busiest = () => [{ id: 'o1', executionMs: 61_240, executing: 2, waiting: 5 }]
    const { status, text } = await ask({ busiest }).get('/organizations')
    expect([status, text]).to.deep.equal([
      200,
      'seconds\texecuting\twaiting\torganization\n61.2\t2\t5\to1\n',
    ])
  })

  it("serves Prometheus' exposition with its type", async () => {
    const { status, text, headers } = await ask().get('/metrics')
    expect(status).to.equal(200)
    expect(text).to.equal('svodka_draining 0\n')
    expect(headers).to.include({ 'content-type': contentType, 'cache-control': 'no-store' })
  })

  it('is alive whatever is not ready', async () => {
    const { status, text } = await ask({ readiness: () => [{ name: 'x', ok: false }] }).get(
      '/livez',
    )
    expect([status, text]).to.deep.equal([200, 'ok\n'])
    expect((await ask().get('/livez?verbose')).text).to.equal(
      '[+]event-loop ok\nlivez check passed\n',
    )
  })

  it('is ready when every check holds', async () => {
    const { status, text, type } = await ask().get('/readyz')
    expect([status, text, type]).to.deep.equal([200, 'ok\n', 'text/plain'])
  })

  it('lists every check if asked to', async () => {
    for (const path of ['/readyz?verbose', '/readyz?verbose=1']) {
      const { status, text } = await ask().get(path)
      expect([status, text]).to.deep.equal([
        200,
        '[+]definitions ok\n[+]database ok\nreadyz check passed\n',
      ])
    }
  })

  it('is not ready when a check fails, and says which and why', async () => {
    const reason = 'not reached since the start'
    const checks = [
      { name: 'definitions', ok: true },
      { name: 'database', ok: false, reason },
    ]
    const { status, text } = await ask({ readiness: () => checks }).get('/readyz')
    expect(status).to.equal(503)
    expect(text).to.equal(
      '[+]definitions ok\n[-]database failed: not reached since the start\nreadyz check failed\n',
    )
  })

  it('answers HEAD with the status alone', async () => {
    const { status, text } = await ask({ readiness: () => [{ name: 'x', ok: false }] }).head(
      '/readyz',
    )
    expect(status).to.equal(503)
    expect(text).to.be.oneOf([undefined, ''])
  })

  it('knows no other path, the API least of all', async () => {
    for (const path of ['/', '/Metrics', '/metrics/', '/healthz', '/api/public/v1/ping']) {
      const { status, text, type } = await ask().get(path)
      expect([status, type], path).to.deep.equal([404, 'text/plain'])
      expect(text).to.equal('not found: here are /metrics, /livez, /readyz, /organizations\n')
    }
  })

  it('takes no other method than GET and HEAD', async () => {
    const { status, headers } = await ask().post('/metrics')
    expect(status).to.equal(405)
    expect(headers['allow']).to.equal('GET, HEAD')
  })

  it('answers 500 without a word of what failed, and has it noticed', async () => {
    const seen: Observation[] = []
    const error = new Error('secret')
    const { status, text } = await ask({
      exposition: () => Promise.reject(error),
      observe: fact => seen.push(fact),
    }).get('/metrics')
    expect([status, text]).to.deep.equal([500, 'failed: see the log\n'])
    expect(seen).to.deep.equal([{ kind: 'process-error', error }])
  })
})
