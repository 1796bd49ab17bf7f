/**
 * Asks the server to cancel what a connection is executing. Each request goes over a connection of its own,
 * which pg's `Connection` makes in the way of the client's: over TLS with the same verification, or not.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
import type { Socket } from 'node:net'
import { Connection } from 'pg'
import type { ClientBase, ClientConfig } from 'pg'
import { destroyConnection } from './connection.ts'

const CONNECT_MS = 1000
/** The server closes the connection of a request that it has handled; one that hangs does when it goes on. */
const CLOSE_MS = 300_000
/** A request is repeated so long after the last one ended, as that may have met no statement. */
const AGAIN_MS = 250

/**
 * Never fails: if no request gets through, the caller has to destroy the connection.
 * @returns what is called once the statement has ended: ends the asking, and resolves when no request is under
 *   way that could meet the connection's next statement
 */
export function requestCancel(client: ClientBase): () => Promise<void> {
  let again: NodeJS.Timeout | undefined
  let isOver = false
  let asked = ask()

  async function ask(): Promise<void> {
    await send(client)
    if (isOver) return
    // why: PgBouncer drops the request for a statement that waits for a server, and begins the statement all the same
    again = setTimeout(() => void (asked = ask()), AGAIN_MS)
  }

  return async () => {
    isOver = true
    clearTimeout(again)
    await asked
  }
}

/** What pg's client and its connection have, beside what their types tell. */
interface Target {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
  readonly ssl: NonNullable<ClientConfig['ssl']>
  readonly sslNegotiation: NonNullable<ClientConfig['sslnegotiation']>
}
type CancelConnection = Omit<Connection, 'stream'> & {
  /** Of TCP at first, of TLS from `sslconnect` on. */
  readonly stream: Socket
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

/** Resolves when the server has closed the connection: it has signalled the backend by then. */
function send(client: ClientBase): Promise<void> {
  const { host, port, processID, secretKey, ssl, sslNegotiation } = client as unknown as Target
  if (processID === null || secretKey === null) return Promise.resolve()
  const connection = new Connection({
    ssl,
    sslNegotiation,
  } as object) as unknown as CancelConnection
  const { stream: socket } = connection
  let isSent = false
  const ask = (): void => {
    isSent = true
    socket.setTimeout(CLOSE_MS).unref()
    // why: PgBouncer 1.18 crashes if the client is gone before the request is handled, so the server closes
    connection.cancel(processID, secretKey)
  }
  return new Promise(resolve => {
    socket.setTimeout(CONNECT_MS, () => socket.destroy())
    connection.on('error', () => {
      socket.destroy()
      // why: such a request may be handled at any time, and meet another statement
      if (isSent) destroyConnection(client)
    })
    connection.once('end', () => resolve())
    connection.once('connect', () => {
      if (!ssl) ask()
      else if (sslNegotiation !== 'direct') connection.requestSsl()
    })
    // why: the key goes to a server whose certificate has been verified, and to no other
    connection.once('sslconnect', () => connection.stream.once('secureConnect', ask))
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
