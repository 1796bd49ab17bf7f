import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { FAST_PATH } from '../harness/fast-path.ts'
import { processesOfTests } from '../harness/shops-gateway.ts'
import { sharedShops } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { inFlight, PREFIX } from './gateways.ts'

/** A new key, one for each way to send it. */
const freshKey = (): string => `k${randomBytes(12).toString('hex')}`

describe('the memory of the gateway', () => {
  const start = processesOfTests()

  it('contains no plain key after 100 requests and closed connections', async () => {
    const folder = temporaryFolder()
    const { child, url, opsUrl } = await start({
      NODE_OPTIONS: `--heapsnapshot-signal=SIGWINCH --diagnostic-dir=${folder}`,
    })
    const ways = waysToSendAKey()
    const valid = ways.filter(({ isKnown }) => isKnown).map(({ key }) => `('${key}')`)
    const shops = await sharedShops()
    await shops.change(
      `insert into shop_keys select sha256(convert_to(key, 'UTF8')), 1, false
         from (values ${valid.join(', ')}) as keys (key)`,
    )
    const statuses: number[] = []
    for (const { key, headers } of ways) {
      const withKey = TARGETS_WITH_KEY.map(target => target.replaceAll('KEY', key))
      // why: a repeated request may use the fast path
      for (const target of [...TARGETS, ...TARGETS, ...withKey, ...withKey]) {
        statuses.push(await askOnce(`${url}${PREFIX}${target}`, headers))
      }
    }
    expect(statuses.length).to.be.at.least(100)
    expect(new Set(statuses)).to.deep.equal(new Set([200, 404, 400, 401]))
    await until(async () => (await inFlight({ opsUrl })) === 0)
    const snapshot = await takeSnapshot(child, folder)
    // why: proves that the snapshot contains strings of the aliases
    if (FAST_PATH === 'on') expect(snapshot).to.include(`${PREFIX}/reports/receipts`)
    const leakedForms = ways.flatMap(way => way.forms.filter(form => snapshot.includes(form)))
    expect(leakedForms).to.deep.equal([])
  })
})

const TARGETS = '/ping /reports/receipts /reports/none /metrics /reports/receipts?to=x'.split(' ')

/** Targets with the key in ignored parts. */
const TARGETS_WITH_KEY = [
  ...'?key=KEY ?KEY ?=KEY ?auth=Bearer%20KEY ?preset=KEY ?codes=KEY #KEY'
    .split(' ')
    .map(query => `/reports/receipts${query}`),
  '/metrics?format=KEY',
]

interface Way {
  readonly key: string
  readonly isKnown: boolean
  readonly headers: Record<string, string>
  /** Texts that reveal the key. */
  readonly forms: readonly string[]
}

function waysToSendAKey(): Way[] {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const headersOf: ReadonlyArray<(key: string) => Record<string, string>> = [
    key => ({ 'X-Api-Key': key }),
    key => ({ Authorization: `Bearer ${key}` }),
    key => ({ Authorization: `Basic ${base64(`user:${key}`)}` }),
    key => ({ Authorization: `Basic ${base64(`${key}:`)}` }),
    // Not a plain request, so that Koa serves it.
    key => ({ 'X-Api-Key': key, 'Cache-Control': 'max-age=60' }),
    key => ({ Authorization: `Basic ${base64(`user:${key}`)}`, 'Cache-Control': 'max-age=60' }),
  ]
  return headersOf.flatMap(toHeaders =>
    [true, false].map(isKnown => {
      const key = freshKey()
      const headers = toHeaders(key)
      const sent = headers['Authorization']?.split(' ')[1] ?? key
      // why: a snapshot contains the parts of concatenated and sliced strings
      const parts = [key.slice(0, 12), key.slice(-12), sent.slice(0, 24), sent.slice(-16)]
      const hex = Buffer.from(key).toString('hex')
      const forms = [key, ...parts, hex, base64(key).slice(0, -2), encodeURIComponent(key)]
      // why: short forms, as the base64 of "user:", are not specific
      return { key, isKnown, headers, forms: forms.filter(form => form.length >= 12) }
    }),
  )
}

/** Sends a request on a new connection. */
function askOnce(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0
    const statuses = request(url, { agent: false, headers }, response => {
      status = response.resume().statusCode ?? 0
    })
    // why: an open connection retains its buffers
    statuses.on('error', reject).on('close', () => resolve(status))
    statuses.end()
  })
}

/** Node collects garbage before the snapshot. */
async function takeSnapshot(
  child: { kill(signal: NodeJS.Signals): boolean },
  folder: string,
): Promise<string> {
  child.kill('SIGWINCH')
  const path = (): string | undefined => {
    const name = readdirSync(folder).find(file => file.endsWith('.heapsnapshot'))
    return name && join(folder, name)
  }
  const isWritten = (): boolean => path() !== undefined && /\]\}\s*$/.test(endOf(path()!))
  // why: the snapshot is large, and a busy machine may need more than one wait
  await until(isWritten).catch(() => until(isWritten))
  return readFileSync(path()!, 'latin1')
}

function endOf(path: string): string {
  const file = openSync(path, 'r')
  const end = Buffer.alloc(8)
  readSync(file, end, 0, 8, Math.max(0, fstatSync(file).size - 8))
  closeSync(file)
  return end.toString('latin1')
}
