import { expect } from 'chai'
import type { Ask } from '../support/ask.ts'
import { openConnection } from '../support/raw-socket.ts'
import { shopsGateway } from '../support/world.ts'

/** The ordinary way answers what has this header. */
const UNUSUAL = 'Cache-Control: no-cache'

describe('access', () => {
  const world = shopsGateway()
  const ask: Ask = (path, options) => world.ask(path, options)

  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

  it('takes the key from Bearer, X-Api-Key, and either half of Basic', async () => {
    const spellings: Array<Record<string, string>> = [
      { Authorization: 'Bearer key of shop 1' },
      { Authorization: 'bearer key of shop 1' },
      { Authorization: basic('anyone:key of shop 1') },
      { Authorization: basic('key of shop 1:') },
      { 'X-Api-Key': 'key of shop 1' },
      { Authorization: 'Digest x', 'X-Api-Key': 'key of shop 1' },
    ]
    for (const headers of spellings) {
      const { status, json } = await ask('/ping', { key: undefined, headers })
      expect(status, JSON.stringify(headers)).to.equal(200)
      expect(json).to.deep.equal({ ok: true, organizationId: '1', version: 'v1' })
    }
  })

  it('lets Authorization win over X-Api-Key', async () => {
    const headers = { Authorization: 'Bearer key of shop 2' }
    expect((await ask('/ping', { headers })).json.organizationId).to.equal('2')
    expect((await ask('/ping', { headers: { Authorization: 'Bearer wrong' } })).status).to.equal(
      401,
    )
  })

  it('tells a caller without a key nothing but 401, whatever the path and the method', async () => {
    const bodies = new Set<string>()
    const paths = [
      '',
      '/',
      '/ping',
      '/reports/receipts',
      '/reports/none',
      '/nothing',
      '/ping?api_key=key of shop 1',
    ]
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const answer = await ask(path, { key: undefined, method })
        expect(answer.status, `${method} ${path}`).to.equal(401)
        expect(answer.json.code).to.equal('api_key_required')
        expect(answer.headers.get('WWW-Authenticate')).to.match(
          /^Bearer.*Basic realm="svodka", charset="UTF-8"$/,
        )
        bodies.add(JSON.stringify({ ...answer.json, requestId: '' }))
      }
    }
    expect(bodies.size).to.equal(1)
  })

  it('gives unknown, disabled and impossible keys the same answer', async () => {
    const bodies = new Set<string>()
    for (const key of ['unknown', 'disabled key of shop 1', 'k'.repeat(513)]) {
      const answer = await ask('/ping', { key })
      expect(answer.status).to.equal(401)
      bodies.add(JSON.stringify({ ...answer.json, requestId: '' }))
    }
    expect(bodies.size).to.equal(1)
  })

  it('sends the same 401 to a plain request and to another, and observes both', async () => {
    // why: headers that Node sets itself are others on a connection that has had a valid key
    const of = async (...headers: string[]) => {
      const connection = await openConnection(world.gateway.url)
      const lines = ['Host: x', 'X-Api-Key: no such key', 'X-Request-Id: mine', ...headers]
      const target = '/api/public/v1/reports/receipts?x'
      const text = await connection.ask(`GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      connection.destroy()
      const fact = world.gateway.observations.findLast(({ kind }) => kind === 'request')
      expect(fact).to.include({ status: 401, report: 'receipts', problem: 'api_key_invalid' })
      expect(fact).to.include({ shortcut: !headers.includes(UNUSUAL) })
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const sent = head.split('\r\n').filter(line => !line.startsWith('Date: '))
      return { head: sent.toSorted(), body }
    }
    for (const language of ['Accept-Language: ru', 'Accept-Language: en-GB, ru;q=0.5']) {
      const plain = await of(language)
      expect(plain).to.deep.equal(await of(language, UNUSUAL))
      expect(plain.head).to.include.members([
        'WWW-Authenticate: Bearer realm="svodka"',
        'WWW-Authenticate: Basic realm="svodka", charset="UTF-8"',
        'Keep-Alive: timeout=5',
      ])
    }
  })

  it('checks the tier after the key and before the path', async () => {
    for (const path of ['/ping', '/nothing', '/reports/none']) {
      const answer = await ask(path, { key: 'key of shop 4' })
      expect(answer.status, path).to.equal(402)
      expect(answer.json.code).to.equal('module_locked')
    }
  })

  it('refuses a revoked key with the next request, cached answers and 304 included', async () => {
    await world.shops.change("insert into shop_keys values (sha256('short-lived'), 1, false)")
    const first = await ask('/reports/receipts', { key: 'short-lived' })
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    expect((await ask('/reports/receipts', { key: 'short-lived', headers })).status).to.equal(304)
    await world.shops.change(
      "update shop_keys set disabled = true where hash = sha256('short-lived')",
    )
    expect((await ask('/reports/receipts', { key: 'short-lived' })).status).to.equal(401)
    expect((await ask('/reports/receipts', { key: 'short-lived', headers })).status).to.equal(401)
  })

  it('opens the door with the next request when the tier is raised', async () => {
    await world.shops.change("insert into shops values (5, 'free', 'Europe/Moscow')")
    await world.shops.change("insert into shop_keys values (sha256('key of shop 5'), 5, false)")
    expect((await ask('/ping', { key: 'key of shop 5' })).status).to.equal(402)
    await world.shops.change("update shops set plan = 'pro' where id = 5")
    expect((await ask('/ping', { key: 'key of shop 5' })).status).to.equal(200)
  })
})
