// The process that sends random keys: pipelined over many connections, until it is told to stop.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGenerating } from './generating.ts'
import type { StrangersJob } from './job.ts'

/** The gateway may close a connection after so many 401 in a row; what is beyond would be lost. */
const OF_A_CONNECTION = 20
const TICK_MS = 10

const { job, report, stop, count, end } = startGenerating<StrangersJob>()
const { hostname, port } = new URL(job.url)

interface Line {
  /** Requests without a response yet. */
  waiting: number
  sent: number
  isOpen: boolean
  send(howMany: number): void
}

function openLine(): Line {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let rest = ''
  const line: Line = {
    waiting: 0,
    sent: 0,
    isOpen: true,
    send(howMany) {
      line.waiting += howMany
      line.sent += howMany
      report.sent += howMany
      socket.write(Array.from({ length: howMany }, requestText).join(''))
    },
  }
  socket.on('data', chunk => {
    report.bytes += chunk.length
    // why: a status line may be cut in two
    const text = rest + chunk.toString('latin1')
    const found = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)]
    const last = found.at(-1)
    rest = text.slice(Math.max((last?.index ?? -12) + 12, text.length - 11))
    for (const [, status = ''] of found) count(status)
    line.waiting -= found.length
    if (line.waiting === 0 && line.sent === OF_A_CONNECTION) socket.destroy()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    line.isOpen = false
    count('closed', line.waiting)
  })
  return line
}

function requestText(): string {
  return `GET /api/public/v1/ping HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${randomBytes(16).toString('hex')}\r\n\r\n`
}

const lines = Array.from({ length: job.connections }, openLine)
const startedAt = performance.now()
let due = 0
for (; !stop.aborted; await sleep(TICK_MS)) {
  due = ((performance.now() - startedAt) / 1000) * job.perSecond
  for (const [at, line] of lines.entries()) {
    if (!line.isOpen) lines[at] = openLine()
    const left = Math.floor(due) - report.sent
    const room = OF_A_CONNECTION - (lines[at]?.sent ?? 0)
    if (left > 0 && room > 0) lines[at]?.send(Math.min(left, room))
  }
}
end()
