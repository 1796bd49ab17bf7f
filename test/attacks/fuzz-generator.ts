// The process that fuzzes: requests that fast-check makes of a seed, raw ones and well-formed ones, over many connections.
import { connect } from 'node:net'
import * as fc from 'fast-check'
import { rawRequest, wellFormedRequest } from './fuzz-requests.ts'
import { pipeline, PIPELINED, startGenerating } from './generating.ts'
import type { FuzzJob } from './job.ts'

const BATCH = 1000
/** The gateway waits for the rest of a raw request that has no end. */
const RAW_WITHIN_MS = 200

const { job, report, stop, count: countOne, end } = startGenerating<FuzzJob>()
const { hostname: host, port } = new URL(job.url)

function count(outcome: string, request: Buffer): void {
  countOne(outcome)
  if (outcome !== '500') return
  report.wrong ??= JSON.stringify(request.toString('latin1').slice(0, 300))
  report.wrongCount += 1
}

/** Sends on a connection of its own, and reads until that is closed, silent for long or quiet after a response. */
function sendRaw(bytes: Buffer): Promise<void> {
  return new Promise(resolve => {
    let text = ''
    let silence = 'closed'
    const socket = connect({ host, port: Number(port), noDelay: true })
    socket.setTimeout(RAW_WITHIN_MS, () => {
      silence = 'waits for more'
      socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.includes('\r\n\r\n')) socket.end()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
      count(statuses.find(status => status !== '100') ?? silence, bytes)
      resolve()
    })
    socket.write(bytes)
  })
}

/** Requests of batch after batch, each sent once by whichever client comes first. */
function* requests(make: fc.Arbitrary<Buffer>, howMany: number): Generator<Buffer> {
  for (let made = 0; made < howMany && !stop.aborted; made += BATCH) {
    yield* fc.sample(make, { numRuns: Math.min(BATCH, howMany - made), seed: job.seed + made })
  }
}

const raw = requests(rawRequest, job.raw)
const wellFormed = requests(wellFormedRequest, job.wellFormed)

async function fuzzRaw(): Promise<void> {
  for (const bytes of raw) {
    report.sent += 1
    await sendRaw(bytes)
  }
}

function takeWellFormed(): Buffer[] {
  const some: Buffer[] = []
  while (some.length < PIPELINED) {
    const { value, done } = wellFormed.next()
    if (done) break
    some.push(value)
  }
  report.sent += some.length
  return some
}

await Promise.all([
  // why: many of them end in a wait
  ...Array.from({ length: 4 * job.clients }, fuzzRaw),
  pipeline(job.url, job.clients, takeWellFormed, count),
])
end()
