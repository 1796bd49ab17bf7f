/**
 * Asks the server to cancel the statement of a client. The request uses a new connection, made by pg's `Connection` with
 * the TLS settings of the client.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
import { Connection } from 'pg'
import type { DatabaseClient } from './database-client.ts'

const CONNECT_MS = 1000
/** The server closes the connection after it has handled the request; a hanging server does so when it resumes. */
const CLOSE_MS = 300_000
/** Pause before the request is repeated. */
const REPEAT_MS = 250
/** If a cancelled statement and its cancel requests have not ended after this time, the session is destroyed. */
const GRACE_MS = 1000

/**
 * Cancels the statement.
 * @returns a function to call once it has ended; resolves when no cancel request is in flight, or the session is destroyed
 */
export function cancelStatement(client: DatabaseClient): () => Promise<void> {
  let handled: Promise<unknown> = requestCancel(client)
  // why: it may have arrived before the statement, which PgBouncer delays while no server is free
  const repeats = setInterval(() => {
    handled = Promise.all([handled, requestCancel(client)])
  }, REPEAT_MS)
  let grace: NodeJS.Timeout | undefined
  const isLate = new Promise<void>(resolve => {
    grace = setTimeout(() => {
      clearInterval(repeats)
      client.destroy()
      resolve()
    }, GRACE_MS)
  })
  return async () => {
    clearInterval(repeats)
    // why: a pooler may deliver the request late, to another statement
    if (client.server.isPooled) client.destroy()
    else await Promise.race([handled, isLate])
    clearTimeout(grace)
  }
}

/** Members of pg's connection that its types omit. */
type CancelConnection = DatabaseClient['connection'] & {
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

/** Resolves when the server has closed the connection; by then it has signalled the backend. Never fails. */
export function requestCancel(client: DatabaseClient): Promise<void> {
  const { host, port, processID, secretKey, ssl, sslNegotiation } = client
  if (processID === null || secretKey === null) return Promise.resolve()
  const options: object = { ssl, sslNegotiation }
  const connection = new Connection(options) as CancelConnection
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
      if (isSent) client.destroy()
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
