import { expect } from 'chai'
import supertest from 'supertest'
import { createOperations, type OperationsOptions } from '../../src/serve/http/operations.ts'
import { createServer } from '../../src/serve/http/server.ts'
import type { Observation } from '../../src/model/observation.ts'

const definitions = { name: 'definitions', ok: true }
const database = { name: 'database', ok: false, reason: 'not reached since the start' }
const text = 'text/plain; charset=utf-8'
const metrics = 'text/plain; version=0.0.4; charset=utf-8'

function request(options: Partial<OperationsOptions>): ReturnType<typeof supertest> {
  const app = createOperations({
    exposition: async () => ({ contentType: metrics, text: 'svodka_draining 0\n' }),
    readiness: () => [definitions],
    busiest: () => [{ id: 'o1', executionMs: 61_240, executing: 2, waiting: 5 }],
    observe: () => undefined,
    host: '127.0.0.1',
    ...options,
  })
  return supertest(createServer(app))
}

const ready = {}
const unready = { readiness: () => [definitions, database] }
const NOT_FOUND = 'not found: here are /metrics, /livez, /readyz, /organizations\n'

describe('the operations port', () => {
  it('responds on loopback only to a `Host` of this machine, elsewhere to any', async () => {
    const statusOf = async (host: string, name: string): Promise<number> =>
      (await request({ host }).get('/metrics').set('Host', name)).status
    const own = ['localhost', 'LOCALHOST:9464', '127.0.0.1:1', '127.0.0.2', '[::1]:9464']
    const others = [
      'evil.example',
      '127.0.0.1.evil.example:9464',
      'localhost.evil.example',
      '[::2]',
    ]
    for (const host of ['127.0.0.1', 'localhost', '::1']) {
      for (const name of own) expect(await statusOf(host, name), name).to.equal(200)
      for (const name of others) expect(await statusOf(host, name), name).to.equal(421)
    }
    for (const name of others) expect(await statusOf('0.0.0.0', name), name).to.equal(200)
  })

  for (const [path, options, status, type, body] of [
    [
      '/organizations',
      ready,
      200,
      text,
      'seconds\texecuting\twaiting\torganization\n61.2\t2\t5\to1\n',
    ],
    ['/metrics', ready, 200, metrics, 'svodka_draining 0\n'],
    ['/livez', unready, 200, text, 'ok\n'],
    ['/livez?verbose', unready, 200, text, '[+]event-loop ok\nlivez check passed\n'],
    ['/readyz', ready, 200, text, 'ok\n'],
    ['/readyz?verbose', ready, 200, text, '[+]definitions ok\nreadyz check passed\n'],
    ['/readyz?verbose=1', ready, 200, text, '[+]definitions ok\nreadyz check passed\n'],
    [
      '/readyz',
      unready,
      503,
      text,
      '[+]definitions ok\n[-]database failed: not reached since the start\nreadyz check failed\n',
    ],
    ['/', ready, 404, text, NOT_FOUND],
    ['/Metrics', ready, 404, text, NOT_FOUND],
    ['/metrics/', ready, 404, text, NOT_FOUND],
    ['/healthz', ready, 404, text, NOT_FOUND],
    ['/api/public/v1/ping', ready, 404, text, NOT_FOUND],
  ] as const) {
    it(`responds ${status} to ${path}, ${options === ready ? 'ready' : 'not ready'}`, async () => {
      const response = await request(options).get(path)
      expect([response.status, response.headers['content-type'], response.text]).to.deep.equal([
        status,
        type,
        body,
      ])
      expect(response.headers['cache-control']).to.equal('no-store')
    })
  }

  it('responds to HEAD without a body, and rejects other methods', async () => {
    const head = await request(unready).head('/readyz')
    expect([head.status, head.text ?? '']).to.deep.equal([503, ''])
    const post = await request(ready).post('/metrics')
    expect([post.status, post.headers['allow']]).to.deep.equal([405, 'GET, HEAD'])
  })

  it('responds 500 without details, and observes the error', async () => {
    const observed: Observation[] = []
    const error = new Error('secret')
    const exposition = () => Promise.reject(error)
    const response = await request({ exposition, observe: fact => observed.push(fact) }).get(
      '/metrics',
    )
    expect([response.status, response.text]).to.deep.equal([500, 'failed: see the log\n'])
    expect(observed).to.deep.equal([{ kind: 'process-error', error }])
  })
})
