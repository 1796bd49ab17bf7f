/** The connections of the public port: their limit, and which one is closed at the limit. Knows no keys. */
import type { Socket } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

export interface Connection {
  readonly socket: Socket
  /** Of the peer; why: a closed socket has none. */
  readonly address: string | undefined
  readonly openedAt: Milliseconds
  /** Of the last valid key. */
  organizationId: string | undefined
  activeRequestCount: number
  /** Responses 401 since the last valid key. */
  unauthorizedCount: number
}

/** A new connection has this time for its first request, while others may be closed. */
const GRACE_MS: Milliseconds = 1000

export type Connections = ReturnType<typeof createConnections>

export function createConnections(config: Config, observe: Observe) {
  const { maxConnections, maxUnauthorizedInARow } = config
  const bySocket = new WeakMap<Socket, Connection>()
  /** In the order of their last requests; those without one in the order of their opening. */
  const connections = new Set<Connection>()

  /**
   * What a new connection takes the place of: the oldest without a valid key, but in its grace only if there is no idle
   * one of an organization that has its share or more, of which the longest idle goes. Undefined if all have requests.
   */
  function leastUseful(at: Milliseconds): Connection | undefined {
    const counts = new Map<string, number>()
    let oldest: Connection | undefined
    for (const connection of connections) {
      const { organizationId, openedAt } = connection
      if (organizationId === undefined) {
        if (at - openedAt >= GRACE_MS) return connection
        oldest ??= connection
      } else counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    }
    const share = Math.min(maxConnections / 2, connections.size / counts.size)
    for (const connection of connections) {
      const { organizationId = '', activeRequestCount } = connection
      if (activeRequestCount === 0 && (counts.get(organizationId) ?? 0) >= share) return connection
    }
    return oldest
  }

  function open(socket: Socket): Connection {
    const connection: Connection = {
      socket,
      address: socket.remoteAddress,
      openedAt: performance.now(),
      organizationId: undefined,
      activeRequestCount: 0,
      unauthorizedCount: 0,
    }
    const isAtLimit = connections.size >= maxConnections
    const closed = isAtLimit ? (leastUseful(connection.openedAt) ?? connection) : undefined
    bySocket.set(socket, connection)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
    if (closed !== undefined) {
      connections.delete(closed)
      closed.socket.destroy()
      observe({ kind: 'connection-closed', reason: 'limit' })
    }
    return connection
  }

  return {
    /** Call for each new connection. Closes one if there are too many. */
    open,
    /** Call for each request. */
    beginRequest(socket: Socket): Connection {
      const connection = bySocket.get(socket) ?? open(socket)
      connection.activeRequestCount += 1
      return connection
    },
    endRequest(connection: Connection): void {
      connection.activeRequestCount -= 1
      // why: the longest idle one is first
      if (connections.delete(connection)) connections.add(connection)
    },
    noteValidKey(connection: Connection, organizationId: string): void {
      connection.organizationId = organizationId
      connection.unauthorizedCount = 0
    },
    /** Counts a response 401. @returns whether the connection is closed after it */
    endsUnauthorized(connection: Connection): boolean {
      connection.unauthorizedCount += 1
      if (connection.unauthorizedCount !== maxUnauthorizedInARow) return false
      observe({ kind: 'connection-closed', reason: 'unauthorized' })
      return true
    },
    /** Closes connections without a request: Node considers them active, and would wait for them when it stops. */
    closeUnused(): void {
      for (const { socket } of connections) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
