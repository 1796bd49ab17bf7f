/** The end of a response, told once: all of it has gone out, or its client has left. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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
