import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { frame } from '../../src/http/frame.ts'
import { createHandDown } from '../../src/http/hand-down.ts'
import { createRequestIds } from '../../src/http/request-ids.ts'
import type { RequestState } from '../../src/http/request-state.ts'
import { SHOPS_SQL_DIR } from '../support/shops.ts'

describe('the frame of a request', () => {
  let server: Server
  let gaveUp = 0

  before(() => {
    const catalog = loadCatalog(SHOPS_SQL_DIR)
    const app = new Koa<RequestState>()
    app.use(
      frame({
        observe: () => {},
        now: () => performance.now(),
        catalog: () => catalog,
        longestWaitMs: 50,
        stallTimeoutMs: 1000,
        draining: () => false,
        handDown: createHandDown(),
        requestIds: createRequestIds(),
      }),
    )
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
    server = createServer((request, response) => void handle(request, response)).listen(0)
  })
  after(() => void server.close())

  const ask = (): Promise<Response> => {
    const { port } = server.address() as AddressInfo
    return fetch(`http://127.0.0.1:${port}/`)
  }

  it('hands down one deadline, and answers when it is over', async () => {
    const answer = await ask()
    expect(answer.status).to.equal(504)
    expect(await answer.json()).to.include({ code: 'report_timeout' })
    expect(answer.headers.get('Retry-After')).to.equal('30')
    expect(gaveUp).to.equal(1)
  })
})
