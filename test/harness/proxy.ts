// A TCP proxy that can be told to hurt: late, silent, torn, in slices or slowly, each way by itself.
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What happens to bytes of one direction. */
export interface Toxics {
  /** Each piece comes so much later. */
  latencyMs?: number
  /** Nothing comes through until it is carried again; nothing is lost, as TCP repeats what was not acknowledged. */
  blackhole?: boolean
  /** The largest piece that is passed on at a time. */
  sliceBytes?: number
  /** After so many bytes more the piece is cut, once: the rest arrives in a read of its own. */
  cutAfterBytes?: number
  bytesPerSecond?: number
  /** After so many bytes more of any connection, all are reset. */
  resetAfterBytes?: number
  /** And nothing is hurt any more after that. */
  once?: boolean
}

type Direction = 'toServer' | 'toClient'

export interface Proxy {
  /** The target's URL by way of the proxy. */
  readonly url: string
  readonly port: number
  /** How many connections were ever made. */
  readonly connects: number
  /** What each connection's client has sent first. */
  readonly beginnings: readonly Buffer[]
  /** How many pieces were cut after so many bytes. */
  readonly cuts: number
  /** How often all were reset after so many bytes. */
  readonly tears: number
  /** What these directions suffer from now on; other toxics of theirs end. */
  hurt(toxics: Toxics, ...directions: Direction[]): void
  /** Carries nothing any more, either way, and closes nothing: a network that drops packets. */
  drop(): void
  /** Ends whatever hurts, for connections that are left and new ones. */
  carry(): void
  /** RST on every connection, at both ends. */
  reset(): void
  /** Resets all and refuses new ones, until it is mended. */
  cut(): Promise<void>
  mend(): Promise<void>
}

/** @param target the URL of a server: `postgres://...`, `http://...` */
export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port: targetPort } = new URL(target)
  const toxics: Record<Direction, Toxics> = { toServer: {}, toClient: {} }
  const sockets = new Set<Socket>()
  const beginnings: Buffer[] = []
  let connects = 0
  let cuts = 0
  let tears = 0
  let healed = createGate()

  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy()
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
    // why: pieces that are written in one turn leave in one segment
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
      // why: an end that is still written to would be destroyed with the loop
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
      // why: an end that was torn is passed on below like any other
    }
    while (toxics[direction].blackhole) await healed.opened
    if (from.errored === null) to.end()
    else to.resetAndDestroy()
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, client => {
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
    upstream.on('error', () => client.resetAndDestroy())
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
