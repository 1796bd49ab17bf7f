// A TCP proxy with faults for each direction: delay, silence, resets, small pieces, low rate.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Faults of one direction. */
export interface Toxics {
  /** Delay of each piece. */
  latencyMs?: number
  /** Holds all bytes until the fault ends; none is lost, as if TCP retransmitted them. */
  blackhole?: boolean
  /** Maximum size of a forwarded piece. */
  sliceBytes?: number
  /** After that number of bytes the piece is split once: the rest arrives in a separate read. */
  cutAfterBytes?: number
  bytesPerSecond?: number
  /** After that number of bytes on any connection, all connections are reset. */
  resetAfterBytes?: number
  /** The first reset ends the faults of its direction. */
  once?: boolean
}

type Direction = 'toServer' | 'toClient'

export interface Proxy {
  /** URL of the target through the proxy. */
  readonly url: string
  readonly port: number
  /** Total number of connections. */
  readonly connects: number
  /** First bytes of each client. */
  readonly beginnings: readonly Buffer[]
  /** Number of pieces that were split. */
  readonly cuts: number
  /** Number of resets after a byte count. */
  readonly tears: number
  /** Replaces the faults of these directions. */
  hurt(toxics: Toxics, ...directions: Direction[]): void
  /** Forwards nothing and closes nothing, as a network that drops packets. */
  drop(): void
  /** Ends all faults, for open and new connections. */
  carry(): void
  /** Sends RST on every connection, at both ends. */
  reset(): void
  /** Resets all connections and refuses new ones, until faults end. */
  cut(): Promise<void>
  mend(): Promise<void>
}

/**
 * @param target the URL of a server: `postgres://...`, `http://...`
 * @param others servers that take connections in turn with it, as behind a balancer
 */
export async function startProxy(target: string, ...others: readonly string[]): Promise<Proxy> {
  const targets = [target, ...others].map(url => new URL(url))
  const toxics: Record<Direction, Toxics> = { toServer: {}, toClient: {} }
  const sockets = new Set<Socket>()
  const beginnings: Buffer[] = []
  let connects = 0
  let cuts = 0
  let tears = 0
  let healed = createGate()

  function reset(): void {
    for (const socket of sockets) abort(socket)
  }

  async function pass(piece: Buffer, to: Socket, direction: Direction): Promise<void> {
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
    if (!to.destroyed && !to.write(piece)) {
      await new Promise(resolve => to.once('drain', resolve).once('close', resolve))
    }
    // why: pieces written in one turn would be sent in one segment
    if (now.sliceBytes) await turns(1)
  }

  /** One or two pieces. */
  function cutPiece(piece: Buffer, now: Toxics): Buffer[] {
    if (now.cutAfterBytes === undefined) return [piece]
    const at = now.cutAfterBytes
    now.cutAfterBytes -= piece.length
    if (at >= piece.length) return [piece]
    delete now.cutAfterBytes
    if (at === 0) return [piece]
    cuts += 1
    return [piece.subarray(0, at), piece.subarray(at)]
  }

  async function pump(from: Socket, to: Socket, direction: Direction): Promise<void> {
    let isFirst = direction === 'toServer'
    try {
      // why: a socket with pending writes would be destroyed with the loop
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        if (isFirst) beginnings.push(chunk as Buffer)
        isFirst = false
        for (const piece of sliced(chunk as Buffer, toxics[direction])) {
          for (const [at, part] of cutPiece(piece, toxics[direction]).entries()) {
            // why: the first turn may end before the reader's socket is polled
            if (at > 0) await turns(2)
            await pass(part, to, direction)
          }
        }
      }
    } catch {
      // why: a broken connection is forwarded below like a regular end
    }
    while (toxics[direction].blackhole) await healed.opened
    if (from.errored === null) to.end()
    else abort(to)
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, client => {
    const { hostname, port: targetPort } = targets[connects % targets.length]!
    connects += 1
    const upstream = connect({
      port: Number(targetPort),
      host: hostname,
      allowHalfOpen: true,
      noDelay: true,
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    upstream.on('error', () => abort(client))
    void pump(client, upstream, 'toServer')
    void pump(upstream, client, 'toClient')
  })
  const listen = (port: number): Promise<void> =>
    new Promise(resolve => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo

  function hurt(next: Toxics, ...directions: Direction[]): void {
    for (const direction of directions) toxics[direction] = { ...next }
  }

  function carry(): void {
    hurt({}, 'toServer', 'toClient')
    healed.open()
    healed = createGate()
  }

  return {
    url: Object.assign(new URL(target), { port: String(port) }).href,
    port,
    beginnings,
    get connects() {
      return connects
    },
    get cuts() {
      return cuts
    },
    get tears() {
      return tears
    },
    hurt,
    drop: () => hurt({ blackhole: true }, 'toServer', 'toClient'),
    carry,
    reset,
    cut: () =>
      new Promise(resolve => {
        if (!server.listening) return resolve()
        server.close(() => resolve())
        carry()
        reset()
      }),
    mend: () => listen(port),
  }
}

/** Sends RST, or closes a socket that is ending. */
function abort(socket: Socket): void {
  // why: libuv does not reset a socket that shuts down, and Node would never close it, so that the process cannot end
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await new Promise(resolve => setImmediate(resolve))
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
