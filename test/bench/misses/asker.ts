// A program: asks a server as it is told by its parent, and tells how long that took. Pinned to the load's core.
import { connect } from 'node:net'
import { openConnection, requestOf, RUN_IT } from './raw-connection.ts'

/** What is asked, of 127.0.0.1. */
export interface Asked {
  readonly port: number
  readonly target: string
  readonly key: string
  /** Each with its line's end; `RUN_IT` by default. */
  readonly headers?: string
}

export type Command =
  /** One after the other on one connection, each a run of the statement. */
  | { readonly does: 'time'; readonly asked: Asked; readonly count: number }
  /** The same until `stop`. */
  | { readonly does: 'repeat'; readonly asked: Asked }
  /** One, of which a few bytes are read a second, until `stop`. */
  | { readonly does: 'dawdle'; readonly asked: Asked; readonly bytesPerSecond: number }
  /** All of them, each once, over so many connections. */
  | { readonly does: 'storm'; readonly all: readonly Asked[]; readonly connections: number }
  | { readonly does: 'stop' }

export interface Told {
  /** Of each answer, from the request's first byte to the answer's last. */
  readonly ms: readonly number[]
  /** From the first request to the last answer. */
  readonly seconds: number
  readonly byteCount: number
  /** Of answers that are no 200: `504 /api/...`. */
  readonly refused: readonly string[]
}

let stop = (): void => {}

async function inTurn(all: Iterable<Asked>, connections: number): Promise<Told> {
  const ms: number[] = []
  const refused: string[] = []
  let byteCount = 0
  const queue = all[Symbol.iterator]()
  const startedAt = performance.now()
  const ask = async (): Promise<void> => {
    let next = queue.next()
    if (next.done) return
    const connection = await openConnection(next.value.port)
    for (; !next.done; next = queue.next()) {
      const request = requestOf(next.value.target, next.value.key, next.value.headers ?? RUN_IT)
      const from = performance.now()
      const answer = await connection.ask(request)
      ms.push(performance.now() - from)
      byteCount += answer.byteCount
      if (answer.status !== 200) refused.push(`${answer.status} ${next.value.target}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, ask))
  return { ms, seconds: (performance.now() - startedAt) / 1000, byteCount, refused }
}

function* repeated(asked: Asked): Generator<Asked> {
  const end = new AbortController()
  stop = () => end.abort()
  while (!end.signal.aborted) yield asked
}

/** Ten sips a second, until `stop`, and one at least. */
function dawdle(
  { port, target, key, headers = RUN_IT }: Asked,
  bytesPerSecond: number,
): Promise<Told> {
  return new Promise((resolve, reject) => {
    let byteCount = 0
    let isOver = false
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', reject)
    socket.on('readable', () => {})
    socket.write(requestOf(target, key, headers))
    const sips = setInterval(() => {
      const sip = socket.read(Math.ceil(bytesPerSecond / 10)) as Buffer | null
      byteCount += sip?.length ?? 0
      // why: who asked later may have been answered sooner
      if (!isOver || byteCount === 0) return
      clearInterval(sips)
      socket.destroy()
      resolve({ ms: [], seconds: 0, byteCount, refused: [] })
    }, 100)
    stop = () => void (isOver = true)
  })
}

function follow(command: Command): Promise<Told> | undefined {
  switch (command.does) {
    case 'time':
      return inTurn(Array<Asked>(command.count).fill(command.asked), 1)
    case 'repeat':
      return inTurn(repeated(command.asked), 1)
    case 'dawdle':
      return dawdle(command.asked, command.bytesPerSecond)
    case 'storm':
      return inTurn(command.all, command.connections)
    case 'stop':
      stop()
      return undefined
  }
}

process.on('message', (command: Command) => {
  follow(command)?.then(
    told => process.send?.({ told }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
