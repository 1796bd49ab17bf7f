import { expect } from 'chai'
import { expectProblem, rawAsker, type RawAsk } from '../harness/ask.ts'
import { openConnection } from '../harness/raw-socket.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { PREFIX } from './gateways.ts'

/** Requests with this header are served through Koa. */
const UNUSUAL = 'Cache-Control: no-cache'

const ONE = 'key of shop 1'
const TWO = 'key of shop 2'
const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')
const basic = (pair: string): string => `Basic ${base64(pair)}`

type Sent = Readonly<Record<string, string | string[]>>
/** Headers, and the expected organization or problem. */
const KEYS: ReadonlyArray<readonly [title: string, headers: Sent, expected: string]> = [
  ['Bearer', { Authorization: `Bearer ${ONE}` }, '1'],
  ['Bearer in capitals with blanks', { Authorization: `BEARER   ${ONE}  ` }, '1'],
  ['X-Api-Key', { 'X-Api-Key': ONE }, '1'],
  ['the password of Basic', { Authorization: basic(`anyone:${ONE}`) }, '1'],
  ['the name of Basic without a password', { Authorization: basic(`${ONE}:`) }, '1'],
  ['a password with a colon', { Authorization: basic(':with:colon') }, '1'],
  ['Authorization before X-Api-Key', { Authorization: `Bearer ${TWO}`, 'X-Api-Key': ONE }, '2'],
  ['a key of 512 bytes', { 'X-Api-Key': 'k'.repeat(512) }, '1'],
  ['a wrong key before a right one', { Authorization: 'Bearer no', 'X-Api-Key': ONE }, 'invalid'],
  ['an unknown key', { 'X-Api-Key': 'unknown' }, 'invalid'],
  ['a disabled key', { 'X-Api-Key': 'disabled key of shop 1' }, 'invalid'],
  ['a key of 513 bytes', { 'X-Api-Key': 'k'.repeat(513) }, 'invalid'],
  ['a key with a tab', { 'X-Api-Key': 'k\t1' }, 'invalid'],
  ['a key of other letters', { 'X-Api-Key': 'ключ' }, 'invalid'],
  ['a key after a blank of Unicode', { 'X-Api-Key': `\u00a0${ONE}` }, 'invalid'],
  ['a password of other letters', { Authorization: basic('user:ключ') }, 'invalid'],
  ['two of X-Api-Key', { 'X-Api-Key': [ONE, ONE] }, 'required'],
  ['a blank key', { 'X-Api-Key': ' ' }, 'required'],
  ['no key', {}, 'required'],
]
/** Values of Authorization without a key, so that X-Api-Key is used. */
const NONE = [
  `Digest ${ONE}`,
  ONE,
  'Bearer',
  'Bearer ',
  '',
  basic(':'),
  'Basic ***',
  `Basic ${base64('no colon')}`,
  [`Bearer ${ONE}`, `Bearer ${ONE}`],
]

describe('access', () => {
  const world = shopsGateway()
  const { ask } = world
  let raw: RawAsk
  before(async () => {
    raw = rawAsker(world.gateway.url)
    await world.shops.change(`insert into shop_keys values
      (sha256('with:colon'), 1, false), (sha256(repeat('k', 512)::bytea), 1, false)`)
  })

  async function outcomeOf(headers: Sent): Promise<string> {
    // why: a header is sent as latin1, so UTF-8 bytes are written as its characters
    const bytes = (value: string): string => Buffer.from(value).toString('latin1')
    const sent = Object.entries(headers).map(
      ([name, value]) => [name, typeof value === 'string' ? bytes(value) : value] as const,
    )
    const { status, bytes: body } = await raw(`${PREFIX}/ping`, Object.fromEntries(sent))
    const json = JSON.parse(body.toString()) as { organizationId?: string; code?: string }
    return status === 200 ? String(json.organizationId) : String(json.code).slice('api_key_'.length)
  }

  for (const [title, headers, expected] of KEYS) {
    it(`by ${title} is ${/\d/.test(expected) ? `that of ${expected}` : expected}`, async () => {
      expect(await outcomeOf(headers)).to.equal(expected)
    })
  }

  it('is that of X-Api-Key if Authorization contains no key', async () => {
    for (const Authorization of NONE) {
      expect(await outcomeOf({ Authorization }), String(Authorization)).to.equal('required')
      expect(await outcomeOf({ Authorization, 'X-Api-Key': TWO }), String(Authorization)).to.equal(
        '2',
      )
    }
  })

  it('does not look up impossible keys', async () => {
    const from = world.gateway.observations.length
    for (const key of ['k'.repeat(513), 'k\t1', 'ключ', '\u00a0k1']) {
      expect(await outcomeOf({ 'X-Api-Key': key })).to.equal('invalid')
    }
    const kinds = world.gateway.observations.slice(from).map(({ kind }) => kind)
    expect(kinds).to.include('request').and.not.include('key-lookup')
  })

  it('responds 401 without details to a request without a key, for any path and method', async () => {
    const bodies = new Set<string>()
    for (const path of ['', '/', '/ping', '/reports/none', `/ping?api_key=${ONE}`]) {
      for (const method of ['GET', 'POST']) {
        const response = await ask(path, { key: undefined, method })
        expect([response.status, response.json.code]).to.deep.equal([401, 'api_key_required'])
        expect(response.headers.get('WWW-Authenticate')).to.match(
          /^Bearer.*Basic realm="svodka", charset="UTF-8"$/,
        )
        bodies.add(JSON.stringify({ ...response.json, requestId: '' }))
      }
    }
    expect(bodies.size).to.equal(1)
  })

  it('sends equal 401 responses for invalid keys of any kind, and observes them', async () => {
    const bodies = new Set<string>()
    const rejectionOf = async (key: string, ...headers: string[]) => {
      const connection = await openConnection(world.gateway.url)
      const lines = ['Host: x', `X-Api-Key: ${key}`, 'X-Request-Id: mine', ...headers]
      const target = `${PREFIX}/reports/receipts?x`
      const text = await connection.ask(`GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      connection.destroy()
      const fact = world.gateway.observations.findLast(({ kind }) => kind === 'request')
      expect(fact).to.include({ status: 401, report: 'receipts', problem: 'api_key_invalid' })
      const [head = '', body = ''] = text.split('\r\n\r\n')
      bodies.add(body)
      return {
        head: head
          .split('\r\n')
          .filter(line => !line.startsWith('Date: '))
          .toSorted(),
        body,
      }
    }
    for (const language of ['Accept-Language: ru', 'Accept-Language: en-GB, ru;q=0.5']) {
      for (const key of ['no such key', 'disabled key of shop 1', 'k'.repeat(513)]) {
        const plain = await rejectionOf(key, language)
        expect(plain).to.deep.equal(await rejectionOf(key, language, UNUSUAL))
        expect(plain.head).to.include.members([
          'WWW-Authenticate: Bearer realm="svodka"',
          'WWW-Authenticate: Basic realm="svodka", charset="UTF-8"',
        ])
      }
    }
    expect(bodies.size, 'one per language').to.equal(2)
  })

  it('is granted from the next request on if the tier is raised', async () => {
    await world.shops.change("insert into shops values (5, 'free', 'Europe/Moscow')")
    await world.shops.change("insert into shop_keys values (sha256('key of shop 5'), 5, false)")
    for (const path of ['/ping', '/nothing']) {
      expectProblem(await ask(path, { key: 'key of shop 5' }), 402, 'module_locked')
    }
    await world.shops.change("update shops set plan = 'pro' where id = 5")
    expect((await ask('/ping', { key: 'key of shop 5' })).status).to.equal(200)
  })
})
