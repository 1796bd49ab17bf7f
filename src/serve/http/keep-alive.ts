/** `Connection` and `Keep-Alive` of a response, where they differ from Node's. Counts a response 401. */
import type { ServerResponse } from 'node:http'
import type { Connection, Connections } from './connections.ts'

export function setKeepAlive(
  response: ServerResponse,
  status: number,
  connection: Connection,
  connections: Connections,
): void {
  const isLast = status === 401 && connections.noteUnauthorized(connection)
  if (response.headersSent || response.hasHeader('Connection')) return
  if (isLast) response.setHeader('Connection', 'close')
  else if (!connection.hadValidKey && response.shouldKeepAlive) {
    response.setHeader('Keep-Alive', `timeout=${Math.floor(connections.keepAliveMs / 1000)}`)
  }
}
