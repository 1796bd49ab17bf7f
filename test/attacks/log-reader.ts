// The reader of the log has stalled: no request may wait for it.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { memoryBytes } from '../bench/process-figures.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'
import { heapGrowth, WITH_SNAPSHOTS } from './heap.ts'
import { atRest } from './rest.ts'

const PREFIX = '/api/public/v1'
const WAITS_MS = 5000
const CLIENTS = 16

interface Refused {
  readonly status: number
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

const KEY = { 'X-Api-Key': 'key of organization 1' }

const TOO_LARGE: Refused = { status: 400, path: `${PREFIX}/reports/huge`, headers: KEY }

const KINDS: readonly Refused[] = [
  { status: 401, path: `${PREFIX}/ping` },
  { status: 401, path: `${PREFIX}/ping`, headers: { 'X-Api-Key': 'unknown' } },
  { status: 402, path: `${PREFIX}/ping`, headers: { 'X-Api-Key': 'key of organization 21' } },
  { status: 404, path: '/nothing' },
  { status: 404, path: `${PREFIX}/nothing`, headers: KEY },
  { status: 404, path: `${PREFIX}/reports/nothing`, headers: KEY },
  { status: 404, path: `${PREFIX}/metrics?codes=nothing`, headers: KEY },
  { status: 405, path: `${PREFIX}/ping`, method: 'POST', headers: KEY },
  { status: 400, path: `${PREFIX}/reports/ledger?from=x`, headers: KEY },
  { status: 400, path: `${PREFIX}/reports/ledger?format=x`, headers: KEY },
  { status: 400, path: `${PREFIX}/reports/ledger?from=2026-01-01&from=2026-01-02`, headers: KEY },
  TOO_LARGE,
  { status: 416, path: `${PREFIX}/reports/ledger`, headers: { ...KEY, Range: 'bytes=9999999-' } },
  { status: 431, path: `${PREFIX}/ping`, headers: { 'X-Filler': 'x'.repeat(17_000) } },
]

/** A pipe that is open at both ends and never read. */
function stalledPipe(world: World): number {
  const file = join(world.folder, `pipe-${performance.now()}`)
  execFileSync('mkfifo', [file])
  const descriptor = openSync(file, 'r+')
  world.atEnd(() => closeSync(descriptor))
  return descriptor
}

const stalledLog: Scenario = {
  fault: 'A30',
  name: 'stalled-log-reader',
  hypothesis:
    '10,000 requests of each kind of 4xx while the log is not read: each gets its response, and lines that are not read take no memory',
  quick: true,
  longestMs: 300_000,
  async run(world) {
    world.hasOtherClients = true
    const gateway = await world.gateway({ stdout: stalledPipe(world), settings: WITH_SNAPSHOTS })
    const { hostname: host, port } = new URL(gateway.url)
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
    world.atEnd(() => agent.destroy())
    let silent = 0
    let slowest = 0
    const others = new Map<string, number>()

    function send({ path, method = 'GET', headers = {}, status }: Refused): Promise<void> {
      const from = performance.now()
      return new Promise(resolve => {
        const end = (found: number): void => {
          slowest = Math.max(slowest, performance.now() - from)
          if (found === 0) silent += 1
          else if (found !== status) {
            const what = `${found} for ${status} of ${path}`
            others.set(what, (others.get(what) ?? 0) + 1)
          }
          resolve()
        }
        const sent = request({ agent, host, port, path, method, headers }, response => {
          response.resume().once('error', () => undefined)
          response.once('close', () => end(response.statusCode ?? 0))
        })
        sent.setTimeout(WAITS_MS, () => sent.destroy())
        sent.once('error', () => end(0)).end()
      })
    }

    async function sendMany(kind: Refused, count: number): Promise<void> {
      let left = count
      const client = async (): Promise<void> => {
        // why: once it blocks, every further request times out
        while (left-- > 0 && silent < CLIENTS) await send(kind)
      }
      await Promise.all(Array.from({ length: CLIENTS }, client))
    }

    // why: the execution of a report that is too large takes seconds
    const kinds = world.isQuick ? KINDS.filter(kind => kind !== TOO_LARGE) : KINDS
    // why: the first finds out that it is too large, the others are spared that
    if (!world.isQuick) await send(TOO_LARGE)
    for (const kind of kinds) await sendMany(kind, world.isQuick ? 20 : 200)
    const before = memoryBytes(gateway.pid)
    slowest = 0
    const each = world.isQuick ? 100 : 10_000
    const heap = await heapGrowth(world, gateway, 16, async () => {
      for (const kind of kinds) await sendMany(kind, each)
    })
    const grown = (memoryBytes(gateway.pid) - before) / 2 ** 20
    const [other] = others
    return [
      { name: 'kinds', value: kinds.length },
      { name: 'of each', value: each },
      { name: 'without a response within 5 s', value: silent, exactly: 0 },
      { name: 'other statuses', value: others.size, exactly: 0, detail: other?.join(': ') },
      { name: 'slowest', value: slowest, unit: 'ms', atMost: 2000 },
      { name: 'memory', value: grown, unit: 'MiB' },
      ...heap,
      // why: a gateway that waits for its log responds to no scrape either
      ...(silent === 0 ? await atRest(gateway) : []),
    ]
  },
}

export const logReader: readonly Scenario[] = [stalledLog]
