/**
 * Asks the server to cancel what a connection is running. The request goes over a connection of its
 * own, which pg's public interface does not offer, so the sixteen bytes are written here.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
import { createConnection } from 'node:net'
import type { ClientBase } from 'pg'

const CANCEL_REQUEST_CODE = 80877102
const CONNECT_MS = 1000
/** The server closes what it has taken; one that hangs does when it goes on. */
const CLOSE_MS = 300_000
/** Asked again so long after a request was taken, as it may have met nothing. */
const AGAIN_MS = 250

/**
 * Never fails: a request that does not get through leaves the caller to destroy the connection, and so does one
 * that may still meet the connection's next statement.
 * @returns what ends the asking, once the statement has ended
 */
export function requestCancel(client: ClientBase): () => void {
  let again: NodeJS.Timeout | undefined
  let isOver = false
  const ask = (): void =>
    send(client, () => {
      // why: PgBouncer drops a request of who waits for a place, whose statement then begins all the same
      if (!isOver) again = setTimeout(ask, AGAIN_MS)
    })
  ask()
  return () => {
    isOver = true
    clearTimeout(again)
  }
}

function send(client: ClientBase, taken: () => void): void {
  const { host, port, processID, secretKey } = client as unknown as {
    host: string
    port: number
    processID: number | null
    secretKey: number | null
  }
  if (processID === null || secretKey === null) return
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  const socket = host.startsWith('/')
    ? createConnection(`${host}/.s.PGSQL.${port}`)
    : createConnection(port, host)
  socket.setTimeout(CONNECT_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.once('close', taken)
  socket.once('connect', () => socket.setTimeout(CLOSE_MS).unref())
  // why: PgBouncer 1.18 crashes where who asked is gone before the server has taken it, so the server closes
  socket.write(request)
  socket.resume()
}
