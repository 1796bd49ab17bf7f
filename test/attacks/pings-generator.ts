// The process that sends pings at a steady rate, pipelined over many connections, until it is stopped.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pipeline, PIPELINED, startGenerating } from './generating.ts'
import type { PingsJob } from './job.ts'

const { job, report, stop, count, end } = startGenerating<PingsJob>()
const startedAt = performance.now()

function ping(): Buffer {
  const { key = randomBytes(16).toString('hex'), headers = 0 } = job
  const more = 'a:\r\n'.repeat(headers)
  return Buffer.from(
    `GET /api/public/v1/ping HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n${more}\r\n`,
  )
}

async function takeDue(): Promise<readonly Buffer[]> {
  for (; !stop.aborted; await sleep(5)) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * job.perSecond) - report.sent
    if (due <= 0) continue
    const length = Math.min(due, job.headers === undefined ? PIPELINED : 1)
    report.sent += length
    return Array.from({ length }, ping)
  }
  return []
}

await pipeline(job.url, job.clients, takeDue, count)
end()
