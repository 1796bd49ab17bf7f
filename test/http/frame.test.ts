import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { Problem } from '../../src/errors.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { createActiveRequests } from '../../src/http/active-requests.ts'
import { createConnections } from '../../src/http/connections.ts'
import { frame } from '../../src/http/frame.ts'
import { createHandDown } from '../../src/http/hand-down.ts'
import { createRequestIds } from '../../src/http/request-ids.ts'
import type { RequestState } from '../../src/http/request-state.ts'
import type { Observation } from '../../src/observation.ts'
import { SHOPS_SQL_DIR } from '../support/shops.ts'
import { until } from '../support/until.ts'

describe('the frame of a request', () => {
  let server: Server
  let gaveUp = 0
  const observed: Observation[] = []

  before(() => {
    const catalog = loadCatalog(SHOPS_SQL_DIR)
    const observe = (fact: Observation): void => void observed.push(fact)
    const limits = { maxConnections: 10, keepAliveWithoutKeyMs: 5000, maxUnauthorizedInARow: 20 }
    const connections = createConnections(limits, observe)
    const handDown = createHandDown()
    const requests = createActiveRequests({
      maxRequestsPerOrganization: 10,
      connections,
      observe,
      now: () => performance.now(),
    })
    const app = new Koa<RequestState>()
    app.use(
      frame({
        requests,
        connections,
        now: () => performance.now(),
        catalog: () => catalog,
        longestWaitMs: 50,
        stallTimeoutMs: 1000,
        draining: () => false,
        handDown,
        requestIds: createRequestIds(),
      }),
    )
    app.use((ctx, next) => {
      if (ctx.path !== '/refused') return next()
      const detail = { ru: 'Подождите.', en: 'Wait.' }
      throw new Problem('rate_limited', detail, { retryAfterSeconds: 7, refusal: 'backlog' })
    })
    app.use(
      ctx =>
        new Promise((_, reject) => {
          const { giveUp } = ctx.state
          giveUp.addEventListener('abort', () => {
            gaveUp += 1
            reject(giveUp.reason)
          })
        }),
    )
    const handle = app.callback()
    server = createServer((request, response) => {
      handDown.give(request, { active: requests.begin(request), lookedUp: undefined })
      void handle(request, response)
    }).listen(0)
  })
  after(() => void server.close())

  const ask = (path = '/'): Promise<Response> => {
    const { port } = server.address() as AddressInfo
    return fetch(`http://127.0.0.1:${port}${path}`)
  }

  it('hands down one deadline, and answers when it is over', async () => {
    const answer = await ask()
    expect(answer.status).to.equal(504)
    expect(await answer.json()).to.include({ code: 'report_timeout' })
    expect(answer.headers.get('Retry-After')).to.equal('30')
    expect(gaveUp).to.equal(1)
  })

  it('observes why a request was refused', async () => {
    const response = await ask('/refused')
    expect(response.status).to.equal(429)
    expect(response.headers.get('Retry-After')).to.equal('7')
    const isRefused = (fact: Observation) =>
      fact.kind === 'request' && fact.problem === 'rate_limited'
    expect(await until(() => observed.find(isRefused))).to.include({ refusal: 'backlog' })
  })
})
