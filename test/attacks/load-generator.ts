// The process that sends the load of one organization, until it is stopped or has sent all requests of its job.
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRetryAfter } from '../harness/retry-after.ts'
import { faultOfBody } from '../harness/whole-body.ts'
import { startGenerating } from './generating.ts'
import type { LoadJob } from './job.ts'

/** Larger bodies are counted, not parsed, which would block the generator. */
const LARGEST_CHECKED = 1_000_000
const DAYS = 300_000
const BACK_OFF_MS = 1000

const { job, report, stop, count, end } = startGenerating<LoadJob>()
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

function pathOf(at: number): string {
  const day = new Date(Date.UTC(1950, 0, 1 + (at % DAYS))).toISOString().slice(0, 10)
  return job.path.replace('{cold}', `from=${day}&to=${day}`)
}

/** @returns the status; 0 without a response. */
async function send(): Promise<number> {
  const headers = { 'X-Api-Key': `key of organization ${job.organization}`, ...job.headers }
  const url = `${job.url}/api/public/v1${pathOf(report.sent++)}`
  const sent = request(url, { agent, headers }).end()
  if (job.abortAfterMs !== undefined) setTimeout(() => sent.destroy(), job.abortAfterMs).unref()
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject)
    })
    const { statusCode: status = 0 } = response
    const body = await bodyOf(response)
    count(`${status}${codeOf(response, body)}`)
    return status
  } catch {
    count(job.abortAfterMs === undefined ? 'torn' : 'aborted')
    return 0
  }
}

/** Empty if it is too large to check. @throws Error if the response breaks off */
async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += (chunk as Buffer).length
    if (size <= LARGEST_CHECKED) chunks.push(chunk as Buffer)
  }
  return size > LARGEST_CHECKED ? Buffer.of() : Buffer.concat(chunks)
}

/** @returns the code of a problem after a blank, or ''. Also checks Retry-After and the body of a 200. */
function codeOf({ statusCode, headers }: IncomingMessage, body: Buffer): string {
  if (statusCode === 429 || statusCode === 503) {
    report.withoutRetryAfter += Number(!isRetryAfter(headers['retry-after']))
  }
  if (body.length === 0) return ''
  if (`${headers['content-type']}`.includes('problem+json')) {
    return ` ${(JSON.parse(body.toString()) as { code: string }).code}`
  }
  const fault = statusCode === 200 ? faultOfBody(body, job.organization) : undefined
  report.wrong ??= fault
  report.wrongCount += Number(fault !== undefined)
  return ''
}

function isOver(): boolean {
  return stop.aborted || report.sent >= (job.atMost ?? Number.POSITIVE_INFINITY)
}

async function client(): Promise<void> {
  while (!isOver()) {
    const status = await send()
    if (!isOver()) await sleep(status === 200 ? (job.pauseMs ?? 0) : (job.backOffMs ?? BACK_OFF_MS))
  }
}

async function steadily(perSecond: number): Promise<void> {
  const startedAt = performance.now()
  const pending = new Set<Promise<unknown>>()
  for (; !isOver(); await sleep(5)) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    while (report.sent < due && !isOver()) {
      const sent = send().finally(() => pending.delete(sent))
      pending.add(sent)
    }
  }
  await Promise.all(pending)
}

if (job.perSecond === undefined) {
  await Promise.all(Array.from({ length: job.clients ?? 1 }, client))
} else await steadily(job.perSecond)
agent.destroy()
end()
