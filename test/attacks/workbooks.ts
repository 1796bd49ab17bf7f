// Organization A downloads large workbooks at once; organization B must hardly notice.
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, exactly, none, said } from '../harness/figures.ts'
import { cold, isOk, p99 } from '../harness/load.ts'
import { peakMemoryBytes } from '../harness/process-figures.ts'
import type { Scenario } from '../harness/scenario.ts'
import { BYSTANDER } from './bystander.ts'
import { loopHoldMs, withLoopHold } from './loop-hold.ts'
import { rowsOf, readDocument } from '../harness/document.ts'
import { atRest } from './rest.ts'

const AT_ONCE = 8
const CACHE_MIB = 32
const POOL_SIZE = 4

/** MiB that config/README.md, "Memory", allows the gateway. */
function allowedMiB(): number {
  const parts = new Map(
    rowsOf(readDocument('config/README.md').section('Memory')).map(([part = '', amount = '']) => [
      part,
      Number.parseFloat(amount),
    ]),
  )
  const of = (part: string): number => parts.get(part) ?? Number.NaN
  return of('process') + (of('cache') + of('unread')) * CACHE_MIB + of('execution') * POOL_SIZE
}

/** Repeats a download after refusals. @returns the number of requests that the workbook took */
async function download(url: string): Promise<number> {
  for (let count = 1; ; count += 1) {
    const response = await fetch(url, { headers: { 'X-Api-Key': 'key of organization 1' } })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status === 200) {
      const isWhole = bytes.length === Number(response.headers.get('Content-Length'))
      if (isWhole && bytes.toString('latin1', 0, 2) === 'PK') return count
      throw new Error(`the workbook has ${bytes.length} bytes`)
    }
    if (response.status !== 503 && response.status !== 429) throw new Error(`${response.status}`)
    await sleep(1000 * Number(response.headers.get('Retry-After')))
  }
}

export const workbooks: readonly Scenario[] = [
  {
    name: 'A18 workbooks',
    hypothesis:
      'Eight workbooks of 200,000 rows that are requested at once all arrive, within the memory that the README allows; the pings of another organization wait for no turn of the event loop longer than 25 ms',
    async run(stage) {
      const gateway = await stage.gateway({
        REPORT_POOL_SIZE: String(POOL_SIZE),
        ...withLoopHold(stage),
      })
      stage.hasOtherClients = true
      await gateway.askMany(50, 2, () => ({ report: 'ping', organization: BYSTANDER }))
      gateway.child.kill('SIGWINCH')
      const pings = gateway.startLoad(50, () => ({ report: 'ping', organization: BYSTANDER }))
      const startedAt = performance.now()
      const counts = await Promise.all(
        Array.from({ length: AT_ONCE }, () => {
          const day = new Date(Date.UTC(2030, 0, cold())).toISOString().slice(0, 10)
          const path = `/api/public/v1/reports/workbook.xlsx?from=${day}&to=${day}`
          return download(`${gateway.url}${path}`)
        }),
      )
      const seconds = (performance.now() - startedAt) / 1000
      const ofPings = await pings.stop()
      const holdMs = loopHoldMs(stage)
      const peakMiB = peakMemoryBytes(gateway.pid) / 2 ** 20
      return [
        exactly('workbooks', counts.length, AT_ONCE),
        said(
          'requests for them',
          counts.reduce((sum, count) => sum + count, 0),
        ),
        said('time of all', seconds, 's'),
        said('pings of B', ofPings.length),
        none(`B's refusals and failures`, ofPings, response => !isOk(response)),
        // why: the response times of pings are also those of a machine that is busy with other processes
        said(`B's p99`, p99(ofPings), 'ms'),
        atMost('longest hold of the event loop', holdMs, 25, 'ms'),
        atMost('peak memory', peakMiB, allowedMiB(), 'MiB'),
        ...(await atRest(gateway)),
      ]
    },
  },
]
