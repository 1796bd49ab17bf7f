import { expect } from 'chai'
import { rawAsker, type RawAsk } from '../harness/ask.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { untilExecuting } from '../harness/shops.ts'
import { PREFIX, shopsFolder } from './gateways.ts'
import { SCOPES, setScope } from './scopes.ts'

const KEY = 'key of two'

/** Flaws of a request in the order of the contract, with the expected response if no earlier flaw exists. */
const FLAWS = [
  ['large headers', 431, 'headers_too_large'],
  ['no key', 401, 'api_key_required'],
  ['an unknown key', 401, 'api_key_invalid'],
  ['a key below the tier', 402, 'module_locked'],
  ['too many requests in flight', 429, 'rate_limited'],
  ['an unknown path', 404, 'not_found'],
  ['another method', 405, 'method_not_allowed'],
  ['a bad parameter', 400, 'bad_range'],
  ['an unknown metric', 404, 'metric_not_found'],
  ['a metric of another key', 403, 'report_not_allowed'],
] as const

type Flaw = (typeof FLAWS)[number][0]

describe('the order of checks', () => {
  const world = shopsGateway({ MAX_REQUESTS_PER_ORGANIZATION: '1', SQL_DIR: shopsFolder(SCOPES) })
  let ask: RawAsk
  before(async () => {
    ask = rawAsker(world.gateway.url)
    await setScope(world.shops, KEY, "array['metric:receipts', 'report:sleeps_long']")
  })

  /** Sends a request with these flaws; the caller provides the requests in flight. */
  async function responseTo(flaws: ReadonlySet<Flaw>): Promise<readonly [number, string]> {
    const query = [
      flaws.has('a bad parameter') ? 'from=2026-02-30' : 'from=2026-01-01',
      `codes=${flaws.has('a metric of another key') ? 'revenue' : 'receipts'}${flaws.has('an unknown metric') ? ',none' : ''}`,
    ].join('&')
    const path = flaws.has('an unknown path') ? '/none' : '/metrics'
    const headers = {
      ...keyOf(flaws),
      ...(flaws.has('large headers') && { 'X-Large': 'x'.repeat(16_300) }),
    }
    const method = flaws.has('another method') ? 'POST' : 'GET'
    const { status, bytes } = await ask(`${PREFIX}${path}?${query}`, headers, method)
    return [status, String((JSON.parse(bytes.toString()) as { code?: string }).code)]
  }

  function expected(flaws: ReadonlySet<Flaw>): readonly [number, string] {
    const [, status, code] = FLAWS.find(([flaw]) => flaws.has(flaw)) ?? ['', 200, 'undefined']
    return [status, code]
  }

  async function expectInOrder(
    all: readonly Flaw[],
    permanentFlaws: readonly Flaw[],
  ): Promise<void> {
    for (let bits = 0; bits < 2 ** all.length; bits += 1) {
      const flaws = new Set([...permanentFlaws, ...all.filter((_, at) => (bits >> at) % 2 === 1)])
      expect(await responseTo(flaws), [...flaws].join(', ')).to.deep.equal(expected(flaws))
    }
  }

  const OTHERS = FLAWS.map(([flaw]) => flaw).filter(flaw => flaw !== 'too many requests in flight')

  it('is that of the contract for any combination of flaws', async () => {
    await expectInOrder(OTHERS, [])
  })

  it('is that of the contract for any combination of flaws with too many requests in flight', async () => {
    const busy = new AbortController()
    const url = `${world.gateway.url}${PREFIX}/reports/sleeps_long?from=2029-01-01&to=2029-01-01`
    fetch(url, { headers: keyOf(new Set()), signal: busy.signal }).catch(() => {})
    await untilExecuting(world.shops, 1)
    await expectInOrder(OTHERS, ['too many requests in flight'])
    // why: the gateway would wait for it when it stops
    busy.abort()
  })
})

function keyOf(flaws: ReadonlySet<Flaw>): Record<string, string> {
  if (flaws.has('no key')) return {}
  if (flaws.has('an unknown key')) return { 'X-Api-Key': 'nobody' }
  return { 'X-Api-Key': flaws.has('a key below the tier') ? 'key of shop 4' : KEY }
}
