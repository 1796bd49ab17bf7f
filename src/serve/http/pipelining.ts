/** Pipelined requests of a connection, one after the other. */
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Bytes } from '../../model/terms.ts'
import { headerBytes } from './request-head.ts'

/** Of one connection: each is memory that needs no key. */
const MAX_WAITING = 20
const MAX_WAITING_BYTES: Bytes = 32 * 1024

interface Waiting {
  requestCount: number
  bytes: Bytes
}

/**
 * Begins a request when its response has the socket. A pipelined one waits for those before it, and
 * never begins if the client disconnects first: Node tells only the response that has the socket of
 * that. If more wait than may, the connection is closed.
 *
 * @param onClosed once for each connection that is closed
 *
 * why: a socket that is not read until they have ended would not tell that its client disconnected
 */
export function oneAtATime(listener: RequestListener, onClosed: () => void): RequestListener {
  const waitingOf = new WeakMap<Socket, Waiting>()

  return (request, response) => {
    if (response.socket) {
      listener(request, response)
      return
    }
    const { socket } = request
    const waiting = waitingOf.get(socket) ?? { requestCount: 0, bytes: 0 }
    const bytes = headerBytes(request)
    waiting.requestCount += 1
    waiting.bytes += bytes
    if (waiting.requestCount > MAX_WAITING || waiting.bytes > MAX_WAITING_BYTES) {
      // why: Node goes on with what it has read of a connection that is closed
      if (!socket.destroyed) onClosed()
      socket.destroy()
      return
    }
    waitingOf.set(socket, waiting)
    response.once('socket', () => {
      waiting.requestCount -= 1
      waiting.bytes -= bytes
      listener(request, response)
    })
  }
}
