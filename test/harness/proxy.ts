// A TCP proxy that can be told to hurt: late, silent, torn, in slices or slowly, each way by itself.
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What happens to bytes of one direction. */
export interface Toxics {
  /** Each piece comes so much later. */
  latencyMs?: number
  /** Nothing comes through until it is healed; nothing is lost, as TCP sends again what was not heard of. */
  blackhole?: boolean
  /** The largest piece that is passed on at a time. */
  sliceBytes?: number
  bytesPerSecond?: number
  /** After so many bytes more of any connection, all are reset. */
  resetAfterBytes?: number
  /** And nothing is hurt any more after that. */
  once?: boolean
}

export type Direction = 'toServer' | 'toClient'

export interface Proxy {
  readonly port: number
  /** How many connections were ever made. */
  readonly connects: number
  /** How often all were reset after so many bytes. */
  readonly tears: number
  /** What these directions suffer from now on; other toxics of theirs end. */
  hurt(toxics: Toxics, ...directions: Direction[]): void
  heal(): void
  /** RST on every connection, at both ends. */
  reset(): void
  /** Resets all and refuses new ones, until it is mended. */
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

export async function startProxy(targetPort: number, host = '127.0.0.1'): Promise<Proxy> {
  const toxics: Record<Direction, Toxics> = { toServer: {}, toClient: {} }
  const sockets = new Set<Socket>()
  let connects = 0
  let tears = 0
  let healed = createGate()

  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  async function pump(from: Socket, to: Socket, direction: Direction): Promise<void> {
    const passed = async (piece: Buffer): Promise<void> => {
      const now = toxics[direction]
      if (now.latencyMs) await sleep(now.latencyMs)
      if (now.bytesPerSecond) await sleep((piece.length / now.bytesPerSecond) * 1000)
      while (toxics[direction].blackhole) await healed.opened
      if (now.resetAfterBytes !== undefined) {
        now.resetAfterBytes -= piece.length
        if (now.resetAfterBytes < 0) {
          tears += 1
          if (now.once) toxics[direction] = {}
          return reset()
        }
      }
      if (!to.destroyed && !to.write(piece)) await drained(to)
      // why: pieces that are written in one turn leave in one segment
      if (now.sliceBytes) await new Promise(resolve => setImmediate(resolve))
    }
    try {
      // why: an end that is still written to would be destroyed with the loop
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        for (const piece of sliced(chunk as Buffer, toxics[direction])) await passed(piece)
      }
    } catch {
      // why: an end that was torn is passed on below like any other
    }
    while (toxics[direction].blackhole) await healed.opened
    if (from.errored === null) to.end()
    else to.resetAndDestroy()
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, client => {
    connects += 1
    const upstream = connect({ port: targetPort, host, allowHalfOpen: true, noDelay: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    upstream.on('error', () => client.resetAndDestroy())
    void pump(client, upstream, 'toServer')
    void pump(upstream, client, 'toClient')
  })
  const listen = (port: number) =>
    new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo

  const heal = (): void => {
    toxics.toServer = {}
    toxics.toClient = {}
    const open = healed.open
    healed = createGate()
    open()
  }
  const cut = (): Promise<void> =>
    new Promise(resolve => {
      if (!server.listening) return resolve()
      server.close(() => resolve())
      heal()
      reset()
    })
  return {
    port,
    get connects() {
      return connects
    },
    get tears() {
      return tears
    },
    hurt(next, ...directions) {
      for (const direction of directions) toxics[direction] = { ...next }
    },
    heal,
    reset,
    cut,
    mend: () => listen(port),
    close: cut,
  }
}

function createGate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>(resolve => (open = resolve))
  return { opened, open }
}

function* sliced(chunk: Buffer, { sliceBytes, bytesPerSecond }: Toxics): Iterable<Buffer> {
  const size = sliceBytes ?? (bytesPerSecond ? Math.ceil(bytesPerSecond / 20) : chunk.length)
  for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size)
}

function drained(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    socket.once('drain', resolve).once('close', resolve)
  })
}
