/** Pipelined requests of a connection, one after the other. */
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Of one connection: each is memory that needs no key. */
const MAX_WAITING = 100

/**
 * Begins a request when its response has the socket. A pipelined one waits for those before it, and
 * never begins if the client disconnects first: Node tells only the response that has the socket of
 * that. If more wait than may, the connection is closed.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waitingOf = new WeakMap<Socket, number>()

  return (request, response) => {
    if (response.socket) {
      listener(request, response)
      return
    }
    const { socket } = request
    const waiting = (waitingOf.get(socket) ?? 0) + 1
    waitingOf.set(socket, waiting)
    if (waiting > MAX_WAITING) {
      socket.destroy()
      return
    }
    response.once('socket', () => {
      waitingOf.set(socket, waitingOf.get(socket)! - 1)
      listener(request, response)
    })
  }
}
