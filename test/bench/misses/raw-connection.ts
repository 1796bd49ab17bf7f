// One keep-alive connection that asks and throws the answer's body away, at next to no cost of its own. Knows just
// enough of HTTP/1.1 to find where an answer ends.
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  /** All that was read, heads and chunk sizes too. */
  readonly byteCount: number
}

export interface RawConnection {
  /** One at a time. @throws Error where the connection ends before the answer does. */
  ask(request: string): Promise<Answer>
  close(): void
}

const HEAD_END = '\r\n\r\n'
/** No body of ours has CR LF in it, so that this is the last chunk wherever it stands at the end of a read. */
const LAST_CHUNK = '\r\n0\r\n\r\n'
const READ_BYTES = 256 * 1024

export function requestOf(target: string, key: string, headers = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`
}

/** A client's way to have the statement run, whatever is cached. */
export const RUN_IT = 'Cache-Control: no-cache\r\n'

export async function openConnection(port: number): Promise<RawConnection> {
  let waiting:
    | { readonly resolve: (answer: Answer) => void; readonly reject: (error: unknown) => void }
    | undefined
  let head = ''
  let status = 0
  let byteCount = 0
  /** Undefined before the head's end and of a chunked body. */
  let expectedBytes: number | undefined
  let tail = ''

  function read(bytes: Buffer): void {
    byteCount += bytes.length
    if (status === 0) {
      head += bytes.toString('latin1')
      const end = head.indexOf(HEAD_END)
      if (end === -1) return
      readHead(head.slice(0, end))
      if (expectedBytes !== undefined) expectedBytes += end + HEAD_END.length
      tail = head
    } else if (expectedBytes === undefined) {
      tail += bytes.toString('latin1', Math.max(0, bytes.length - LAST_CHUNK.length))
    }
    tail = tail.slice(-LAST_CHUNK.length)
    if (expectedBytes === undefined ? tail === LAST_CHUNK : byteCount >= expectedBytes) finish()
  }

  function readHead(text: string): void {
    status = Number(text.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
    const bodiless = status === 304 || status === 204
    expectedBytes = bodiless ? 0 : length === undefined ? undefined : Number(length)
  }

  function finish(): void {
    const answer = { status, byteCount }
    const { resolve } = waiting!
    waiting = undefined
    head = tail = ''
    status = byteCount = 0
    expectedBytes = undefined
    resolve(answer)
  }

  const socket = await connected(port, read)
  socket.on('error', error => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the connection ended before the answer')))
  return {
    ask: request =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

function connected(port: number, read: (bytes: Buffer) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        // why: one buffer for all reads, or the client's garbage would be timed too
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback: (count, buffer) => {
          read(Buffer.from(buffer.buffer, buffer.byteOffset, count))
          return true
        },
      },
    })
    socket.once('error', reject)
    socket.once('connect', () => resolve(socket))
  })
}
