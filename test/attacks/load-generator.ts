// The process that sends the load of one organization, until it is stopped.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Asked } from '../harness/client.ts'
import { isRetryAfter } from '../harness/retry-after.ts'
import { startGenerating } from './generating.ts'
import type { LoadJob } from './job.ts'

/** Periods that are not cached are repeated after so many requests. */
const DAYS = 300_000
const BACK_OFF_MS = 1000

const { job, report, stop, count, end } = startGenerating<LoadJob>()
const { url, isCold, clients = 1, pauseMs = 0, perSecond, abortAfterMs, ...asked } = job
const client = createClient(url)

const make = (): Asked => ({
  ...asked,
  ...(isCold && { cold: report.sent++ % DAYS }),
  ...(abortAfterMs !== undefined && { signal: AbortSignal.timeout(abortAfterMs) }),
})

async function work(): Promise<void> {
  while (!stop.aborted) {
    const { status } = await client.ask(make())
    if (!stop.aborted) await sleep(status === 200 ? pauseMs : BACK_OFF_MS)
  }
}

if (perSecond === undefined) await Promise.all(Array.from({ length: clients }, work))
else {
  const load = client.startLoad(perSecond, make)
  await once(stop, 'abort')
  await load.stop()
}
for (const { status, code, left, torn, wrong, headers } of client.records) {
  if (left) count('aborted')
  else count(torn === undefined ? `${status} ${code ?? ''}`.trim() : 'torn')
  report.wrong ??= wrong
  report.wrongCount += Number(wrong !== undefined)
  if (status === 429 || status === 503)
    report.withoutRetryAfter += Number(!isRetryAfter(headers['retry-after']))
}
report.sent = client.records.length
client.close()
end()
