// One connection and its received bytes: for requests that no HTTP client would send.
import { on, once } from 'node:events'
import { connect } from 'node:net'

/** @param text sent as latin1, one byte per character. @returns all bytes until the other side closes */
export function sendRaw(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
    let response = ''
    socket
      .on('data', chunk => (response += chunk.toString('latin1')))
      .on('close', () => resolve(response))
      .on('error', (error: NodeJS.ErrnoException) => {
        // why: if the request was not read completely, a reset may follow the response
        if (response === '') reject(error)
      })
  })
}

export interface RawConnection {
  /** Sends a request and resolves with its response, which has a `Content-Length`. */
  ask(text: string): Promise<string>
  send(text: string): void
  /** Stops reading. */
  pause(): void
  readonly isClosed: () => boolean
  readonly closed: Promise<void>
  destroy(): void
}

/** A connection for several requests, one after the other. */
export async function openConnection(url: string): Promise<RawConnection> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  // why: a socket that is not read does not report that the other side has closed it
  socket.on('error', () => {}).resume()

  async function ask(text: string): Promise<string> {
    const chunks = on(socket, 'data', { close: ['close'] })
    socket.write(text, 'latin1')
    let response = ''
    for await (const [chunk] of chunks) {
      response += (chunk as Buffer).toString('latin1')
      if (isWhole(response)) return response
    }
    throw new Error('the connection was closed')
  }

  return {
    ask,
    pause: () => void socket.pause(),
    send: text => void socket.write(text, 'latin1'),
    isClosed: () => socket.closed,
    closed,
    destroy: () => void socket.destroy(),
  }
}

function isWhole(response: string): boolean {
  const head = response.indexOf('\r\n\r\n')
  if (head < 0) return false
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(response.slice(0, head + 2)) ?? []
  return response.length >= head + 4 + Number(length)
}
