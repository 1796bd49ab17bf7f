// The process that fuzzes: requests that fast-check makes of a seed, raw ones and well-formed ones, over many connections.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import * as fc from 'fast-check'
import { rawRequest, wellFormedRequest } from './fuzz-requests.ts'
import { startGenerating } from './generating.ts'
import type { FuzzJob } from './job.ts'

const BATCH = 1000
/** The twentieth 401 in a row may close the connection; what is behind it would be lost. */
const PIPELINED = 10
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
    const socket = connect({ host, port: Number(port), noDelay: true })
    let silence = 'closed'
    socket.setTimeout(RAW_WITHIN_MS, () => {
      silence = 'waits for more'
      socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      report.bytes += chunk.length
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

interface Line {
  send(requests: readonly Buffer[]): Promise<void>
  close(): void
}

/** A persistent connection, opened again if the gateway has closed it. */
function openLine(): Line {
  let socket: Socket | undefined
  let waiting: Buffer[] = []
  let rest = ''
  let done = (): void => undefined

  function open(): Socket {
    const opened = connect({ host, port: Number(port), noDelay: true })
    rest = ''
    opened.on('error', () => undefined)
    opened.setTimeout(60_000, () => opened.destroy())
    opened.on('data', (chunk: Buffer) => {
      report.bytes += chunk.length
      const text = rest + chunk.toString('latin1')
      const found = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
      const last = found.at(-1)
      rest = text.slice(Math.max(last ? last.index + 13 : 0, text.length - 12))
      for (const [, status = ''] of found) {
        // why: 100 Continue comes before the response
        if (status === '100') continue
        const request = waiting.shift()
        if (request) count(status, request)
      }
      if (waiting.length === 0) done()
    })
    opened.on('close', () => {
      if (socket !== opened) return
      socket = undefined
      for (const request of waiting) count('closed', request)
      waiting = []
      done()
    })
    return opened
  }

  return {
    send: requests =>
      new Promise(resolve => {
        done = resolve
        waiting = [...requests]
        socket ??= open()
        socket.write(Buffer.concat(requests))
      }),
    close: () => void socket?.destroy(),
  }
}

/** Requests of batch after batch, each sent once by whichever client comes first. */
function* requests(make: fc.Arbitrary<Buffer>, howMany: number): Generator<Buffer> {
  for (let made = 0; made < howMany && !stop.aborted; made += BATCH) {
    yield* fc.sample(make, { numRuns: Math.min(BATCH, howMany - made), seed: job.seed + made })
  }
}

async function fuzzRaw(): Promise<void> {
  const all = requests(rawRequest, job.raw)
  const client = async (): Promise<void> => {
    for (const bytes of all) {
      report.sent += 1
      await sendRaw(bytes)
    }
  }
  // why: many of them end in a wait
  await Promise.all(Array.from({ length: 4 * job.connections }, client))
}

async function fuzzWellFormed(): Promise<void> {
  const all = requests(wellFormedRequest, job.wellFormed)
  const client = async (): Promise<void> => {
    const line = openLine()
    for (;;) {
      const some: Buffer[] = []
      while (some.length < PIPELINED) {
        const { value, done } = all.next()
        if (done) break
        some.push(value)
      }
      if (some.length === 0) break
      report.sent += some.length
      await line.send(some)
    }
    line.close()
  }
  await Promise.all(Array.from({ length: job.connections }, client))
}

await Promise.all([fuzzRaw(), fuzzWellFormed()])
end()
