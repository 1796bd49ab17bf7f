// The reader of the log has stalled: no request may wait for it.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { memoryBytes } from '../bench/process-figures.ts'
import { atMost, exactly, said } from '../harness/figures.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'
import { rawAsker } from '../support/raw-request.ts'
import { heapGrowth, WITH_SNAPSHOTS } from './heap.ts'
import { atRest } from './rest.ts'

const PREFIX = '/api/public/v1'
const WAITS_MS = 5000
const CLIENTS = 16
const EACH = 10_000

type Headers = Readonly<Record<string, string>>

const KEY = { 'X-Api-Key': 'key of organization 1' }
const LEDGER = `${PREFIX}/reports/ledger`

const KINDS: ReadonlyArray<[status: number, path: string, headers: Headers, method?: string]> = [
  [401, `${PREFIX}/ping`, {}],
  [401, `${PREFIX}/ping`, { 'X-Api-Key': 'unknown' }],
  [402, `${PREFIX}/ping`, { 'X-Api-Key': 'key of organization 21' }],
  [404, '/nothing', {}],
  [404, `${PREFIX}/nothing`, KEY],
  [404, `${PREFIX}/reports/nothing`, KEY],
  [404, `${PREFIX}/metrics?codes=nothing`, KEY],
  [405, `${PREFIX}/ping`, KEY, 'POST'],
  [400, `${LEDGER}?from=x`, KEY],
  [400, `${LEDGER}?format=x`, KEY],
  [400, `${LEDGER}?from=2026-01-01&from=2026-01-02`, KEY],
  [400, `${PREFIX}/reports/huge`, KEY],
  [416, LEDGER, { ...KEY, Range: 'bytes=9999999-' }],
  [431, `${PREFIX}/ping`, { 'X-Filler': 'x'.repeat(17_000) }],
]

/** A pipe that is open at both ends and never read. */
function stalledPipe({ folder, atEnd }: Stage): number {
  const file = join(folder, `pipe-${performance.now()}`)
  execFileSync('mkfifo', [file])
  const descriptor = openSync(file, 'r+')
  atEnd(() => closeSync(descriptor))
  return descriptor
}

export const logReader: readonly Scenario[] = [
  {
    name: 'A30 stalled-log-reader',
    hypothesis:
      '10,000 requests of each kind of 4xx while the log is not read: each gets its response, and lines that are not read take no memory',
    longestMs: 300_000,
    async run(stage) {
      stage.hasOtherClients = true
      const gateway = await stage.gateway(WITH_SNAPSHOTS, {}, { stdout: stalledPipe(stage) })
      const ask = rawAsker(gateway.url, { timeoutMs: WAITS_MS })
      stage.atEnd(() => ask.close())
      let silent = 0
      let slowest = 0
      const others = new Set<string>()
      const sendAll = async (count: number): Promise<void> => {
        for (const [status, path, headers, method] of KINDS) {
          let left = count
          const client = async (): Promise<void> => {
            // why: once it blocks, every further request times out
            while (left-- > 0 && silent < CLIENTS) {
              const from = performance.now()
              const found = await ask(path, headers, method).catch(() => undefined)
              slowest = Math.max(slowest, performance.now() - from)
              if (found === undefined) silent += 1
              else if (found.status !== status)
                others.add(`${found.status} for ${status} of ${path}`)
            }
          }
          await Promise.all(Array.from({ length: CLIENTS }, client))
        }
      }
      // why: the first of these finds out that the report is too large, the others are spared that
      await ask(`${PREFIX}/reports/huge`, KEY)
      await sendAll(200)
      const before = memoryBytes(gateway.pid)
      slowest = 0
      const heap = await heapGrowth(stage, gateway, 16, () => sendAll(EACH))
      const grown = (memoryBytes(gateway.pid) - before) / 2 ** 20
      return [
        said('kinds', KINDS.length),
        said('of each', EACH),
        exactly('without a response within 5 s', silent, 0),
        exactly('other statuses', others.size, 0, [...others][0]),
        atMost('slowest', slowest, 2000, 'ms'),
        said('memory', grown, 'MiB'),
        ...heap,
        // why: a gateway that waits for its log responds to no scrape either
        ...(silent === 0 ? await atRest(gateway) : []),
      ]
    },
  },
]
