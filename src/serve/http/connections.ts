/**
 * The connections of the public port: their limit, which one is closed at the limit, and the idle timeout without a
 * valid key. Knows no keys.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

export interface Connection {
  readonly socket: Socket
  /** Of the peer; why: a closed socket has none. */
  readonly address: string | undefined
  readonly openedAt: Milliseconds
  isOpen: boolean
  /** Of the last valid key. */
  organizationId: string | undefined
  activeRequestCount: number
  /** Responses 401 since the last valid key. */
  unauthorizedCount: number
}

export type Connections = ReturnType<typeof createConnections>

/** why: at the limit, a connection needs time to send its key, whoever holds the others */
const GRACE_MS: Milliseconds = 1000

const CLOSE = ['Connection', 'close']
const AS_NODE: readonly string[] = []

export function createConnections(
  options: {
    readonly maxConnections: number
    readonly keepAliveWithoutKeyMs: Milliseconds
    /** 0 is no limit. */
    readonly maxUnauthorizedInARow: number
  },
  observe: Observe,
) {
  const { maxConnections, keepAliveWithoutKeyMs } = options
  /** Beyond half of the limit, an organization's idle connections are closed first, and those without a key. */
  const share = maxConnections / 2
  const shortKeepAlive = ['Keep-Alive', `timeout=${Math.floor(keepAliveWithoutKeyMs / 1000)}`]
  const connections = new WeakMap<Socket, Connection>()
  /** Without a valid key so far, oldest first. */
  const withoutKey = new Set<Connection>()
  /** Without a request in flight, longest idle first. */
  const idle = new Set<Connection>()
  /** Connections of each organization. */
  const counts = new Map<string, number>()
  let count = 0

  function addTo(organizationId: string | undefined, change: 1 | -1): void {
    if (organizationId === undefined) return
    const changed = (counts.get(organizationId) ?? 0) + change
    if (changed === 0) counts.delete(organizationId)
    else counts.set(organizationId, changed)
  }

  function remove(connection: Connection): void {
    if (!connection.isOpen) return
    connection.isOpen = false
    withoutKey.delete(connection)
    idle.delete(connection)
    addTo(connection.organizationId, -1)
    count -= 1
  }

  /** The oldest without a valid key, unless it is new and they are few: then the longest idle. */
  function leastUseful(nowMs: Milliseconds): Connection | undefined {
    const [oldest] = withoutKey
    const isNew = oldest !== undefined && nowMs - oldest.openedAt < GRACE_MS
    if (oldest !== undefined && (!isNew || withoutKey.size > share)) return oldest
    for (const connection of idle) {
      if (counts.get(connection.organizationId!)! > share) return connection
    }
    const [longestIdle] = idle
    return longestIdle ?? oldest
  }

  function open(socket: Socket): Connection {
    const connection: Connection = {
      socket,
      address: socket.remoteAddress,
      openedAt: performance.now(),
      isOpen: true,
      organizationId: undefined,
      activeRequestCount: 0,
      unauthorizedCount: 0,
    }
    connections.set(socket, connection)
    const surplus =
      count < maxConnections ? undefined : (leastUseful(connection.openedAt) ?? connection)
    withoutKey.add(connection)
    count += 1
    socket.once('close', () => remove(connection))
    if (surplus !== undefined) {
      remove(surplus)
      surplus.socket.destroy()
      observe({ kind: 'connection-closed', reason: 'limit' })
    }
    return connection
  }

  /** Whether the connection is closed after this response. */
  function countUnauthorized(connection: Connection): boolean {
    connection.unauthorizedCount += 1
    if (connection.unauthorizedCount !== options.maxUnauthorizedInARow) return false
    observe({ kind: 'connection-closed', reason: 'unauthorized' })
    return true
  }

  // why: later overrides Node's keep-alive timeout, which is the same for all connections
  function limitIdle({ socket, activeRequestCount, organizationId }: Connection): void {
    if (activeRequestCount === 0 && organizationId === undefined) {
      socket.setTimeout(keepAliveWithoutKeyMs)
    }
  }

  return {
    /** Call for each new connection. Closes one if there are too many. */
    open,
    /** Call for each request. */
    beginRequest(socket: Socket): Connection {
      const connection = connections.get(socket) ?? open(socket)
      connection.activeRequestCount += 1
      idle.delete(connection)
      return connection
    },
    endRequest(connection: Connection): void {
      connection.activeRequestCount -= 1
      if (connection.activeRequestCount > 0 || !connection.isOpen) return
      if (connection.organizationId !== undefined) idle.add(connection)
      else setImmediate(limitIdle, connection)
    },
    noteValidKey(connection: Connection, organizationId: string): void {
      connection.unauthorizedCount = 0
      if (connection.organizationId === organizationId || !connection.isOpen) return
      addTo(connection.organizationId, -1)
      addTo(organizationId, 1)
      connection.organizationId = organizationId
      withoutKey.delete(connection)
    },
    /** `Connection` and `Keep-Alive` where they differ from Node's, alternating names and values. Counts responses 401. */
    keepAliveHead(
      { shouldKeepAlive }: ServerResponse,
      connection: Connection,
      status: number,
    ): readonly string[] {
      if (status === 401 && countUnauthorized(connection)) return CLOSE
      return connection.organizationId === undefined && shouldKeepAlive ? shortKeepAlive : AS_NODE
    },
    /** Closes connections without a request: Node considers them active, and would wait for them when it stops. */
    closeUnused(): void {
      for (const { socket } of withoutKey) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
