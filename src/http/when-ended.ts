/** The end of a response, told once: all of it has gone out, or its client has left. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Milliseconds } from '../terms.ts'

export function whenEnded(
  response: ServerResponse,
  socket: Socket,
  ended: (aborted: boolean) => void,
): void {
  // why: Node 20 finishes a response whose socket was destroyed in its middle, too
  let aborted = true
  response.once('finish', () => (aborted = socket.destroyed))
  response.once('close', () => ended(aborted))
}

/** The same for a response that has been ended, at once where the system has taken all of it. */
export function whenSent(
  response: ServerResponse,
  socket: Socket,
  stallTimeoutMs: Milliseconds,
  ended: (aborted: boolean) => void,
): void {
  // why: listeners cost as much as the look-up
  if (socket.destroyed || socket.writableLength === 0) return ended(socket.destroyed)
  response.setTimeout(stallTimeoutMs, () => response.destroy())
  whenEnded(response, socket, ended)
}
