/**
 * Asks the server to cancel the statement of a connection. Each cancel request uses a new connection, made by pg's
 * `Connection` with the TLS settings of the client.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
import type { Socket } from 'node:net'
import { Connection } from 'pg'
import type { ClientBase, ClientConfig } from 'pg'
import { destroyConnection } from './connection.ts'

const CONNECT_MS = 1000
/** The server closes the connection after it has handled the request; a hanging server does so when it resumes. */
const CLOSE_MS = 300_000
/** Pause before a request is repeated: the server may have had no statement to cancel. */
const REPEAT_MS = 250

/**
 * Never fails: if no request reaches the server, the caller must destroy the connection.
 * @returns a function to call once the statement has ended: it stops the repetition, and resolves when no request
 *   in flight can cancel the next statement of the connection
 */
export function requestCancel(client: ClientBase): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let asked = ask()

  async function ask(): Promise<void> {
    await send(client)
    // why: while a statement waits for a server, PgBouncer drops its cancel request, but starts the statement later
    if (!isOver) timer = setTimeout(() => void (asked = ask()), REPEAT_MS)
  }

  return () => {
    isOver = true
    clearTimeout(timer)
    return asked
  }
}

/** If a cancelled statement and its cancel requests have not ended after this time, the connection is destroyed. */
const CANCEL_GRACE_MS = 1000

/**
 * Cancels the statement.
 * @param isPooled the connection is destroyed, since a pooler may deliver the request late, to another statement
 * @returns a function to call once it has ended; resolves when no cancel request is in flight, or the connection is destroyed
 */
export function cancelStatement(client: ClientBase, isPooled: boolean): () => Promise<void> {
  const endCancel = requestCancel(client)
  let grace: NodeJS.Timeout | undefined
  const isLate = new Promise<void>(resolve => (grace = setTimeout(resolve, CANCEL_GRACE_MS)))
  const destroy = (): void => destroyConnection(client)
  void isLate.then(destroy)
  return async () => {
    const isOver = endCancel()
    if (isPooled) destroy()
    else await Promise.race([isOver, isLate])
    clearTimeout(grace)
  }
}

/** Members of pg's client and connection that their types omit. */
interface Target {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
  readonly ssl: NonNullable<ClientConfig['ssl']>
  readonly sslNegotiation: NonNullable<ClientConfig['sslnegotiation']>
}
type CancelConnection = Omit<Connection, 'stream'> & {
  /** A TCP socket; a TLS socket from `sslconnect` on. */
  readonly stream: Socket
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

/** Resolves when the server has closed the connection; by then it has signalled the backend. */
function send(client: ClientBase): Promise<void> {
  const { host, port, processID, secretKey, ssl, sslNegotiation } = client as unknown as Target
  if (processID === null || secretKey === null) return Promise.resolve()
  const options: object = { ssl, sslNegotiation }
  const connection = new Connection(options) as unknown as CancelConnection
  const { stream: socket } = connection
  let isSent = false
  const ask = (): void => {
    isSent = true
    socket.setTimeout(CLOSE_MS).unref()
    // why: PgBouncer 1.18 crashes if the client closes the connection before the request is handled
    connection.cancel(processID, secretKey)
  }
  return new Promise(resolve => {
    socket.setTimeout(CONNECT_MS, () => socket.destroy())
    connection.on('error', () => {
      socket.destroy()
      // why: this request may be handled later, and cancel another statement
      if (isSent) destroyConnection(client)
    })
    connection.once('end', () => resolve())
    connection.once('connect', () => {
      if (!ssl) ask()
      else if (sslNegotiation !== 'direct') connection.requestSsl()
    })
    // why: the cancel key is sent only to a server with a verified certificate
    connection.once('sslconnect', () => connection.stream.once('secureConnect', ask))
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
