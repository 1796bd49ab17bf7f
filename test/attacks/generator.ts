// The process that makes the load: one job, until it is told to stop or has sent all.
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultOfBody } from '../harness/whole-body.ts'
import { startGenerating } from './generating.ts'
import type { Job } from './job.ts'

/** Larger bodies are counted and not parsed, which would hold the generator. */
const LARGEST_CHECKED = 1_000_000
const DAYS = 300_000

const { job, report, stop, count, end } = startGenerating<Job>()
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

function pathOf(at: number): string {
  const day = new Date(Date.UTC(1950, 0, 1 + (at % DAYS))).toISOString().slice(0, 10)
  return job.path.replace('{cold}', `from=${day}&to=${day}`)
}

/** @returns the status; 0 where there is none. */
function send(): Promise<number> {
  const at = report.sent++
  return new Promise(resolve => {
    let isOver = false
    const ended = (outcome: string, status: number): void => {
      if (isOver) return
      isOver = true
      count(outcome)
      resolve(status)
    }
    const sent = request(
      `${job.url}/api/public/v1${pathOf(at)}`,
      {
        agent,
        method: job.method ?? 'GET',
        headers: { 'X-Api-Key': `key of organization ${job.organization}`, ...job.headers },
      },
      response => receive(response, ended),
    )
    sent.once('error', () => ended(sent.destroyed && job.abortAfterMs ? 'aborted' : 'torn', 0))
    sent.end()
    if (job.abortAfterMs !== undefined) setTimeout(() => sent.destroy(), job.abortAfterMs).unref()
  })
}

function receive(
  response: IncomingMessage,
  ended: (outcome: string, status: number) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    report.bytes += chunk.length
    if (size <= LARGEST_CHECKED) chunks.push(chunk)
  })
  response.once('error', () => ended(job.abortAfterMs ? 'aborted' : 'torn', 0))
  response.once('close', () => ended(job.abortAfterMs ? 'aborted' : 'torn', 0))
  response.once('end', () => {
    const { statusCode: status = 0, headers } = response
    if (!response.complete) return ended(job.abortAfterMs ? 'aborted' : 'torn', 0)
    const body = Buffer.concat(chunks)
    if (status === 200 && size > 0 && size <= LARGEST_CHECKED) checkBody(body)
    if (status === 429 || status === 503) checkRetryAfter(headers['retry-after'])
    const isProblem = `${headers['content-type']}`.includes('problem+json') && size > 0
    const code = isProblem ? ` ${(JSON.parse(body.toString()) as { code: string }).code}` : ''
    ended(`${status}${code}`, status)
  })
}

function checkBody(body: Buffer): void {
  const fault = faultOfBody(body, job.organization)
  if (fault === undefined) return
  report.wrong ??= fault
  report.wrongCount += 1
}

function checkRetryAfter(text: string | undefined): void {
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 120) report.withoutRetryAfter += 1
}

function isOver(): boolean {
  return stop.aborted || report.sent >= (job.atMost ?? Number.POSITIVE_INFINITY)
}

async function client(): Promise<void> {
  while (!isOver()) {
    const status = await send()
    const pauseMs = status === 200 ? (job.pauseMs ?? 0) : (job.backOffMs ?? 1000)
    if (!isOver()) await sleep(pauseMs)
  }
}

async function steadily(perSecond: number): Promise<void> {
  const startedAt = performance.now()
  const pending = new Set<Promise<unknown>>()
  while (!isOver()) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    while (report.sent < due && !isOver()) {
      const sent = send().finally(() => pending.delete(sent))
      pending.add(sent)
    }
    await sleep(5)
  }
  await Promise.all(pending)
}

if (job.perSecond === undefined) {
  await Promise.all(Array.from({ length: job.clients ?? 1 }, client))
} else await steadily(job.perSecond)
agent.destroy()
end()
