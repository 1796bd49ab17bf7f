/**
 * The connections of the public port: their limit, which one is closed at the limit, and the idle timeout
 * without a valid key. Knows no keys. Each event takes constant time.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

/** A node of a circular list, from which nodes are removed in constant time. */
interface Link {
  previous: Link
  next: Link
}

export interface Connection extends Link {
  readonly socket: Socket
  /** Of the peer; why: a closed socket has none. */
  readonly address: string | undefined
  hadValidKey: boolean
  isClosed: boolean
  activeRequestCount: number
  /** Responses 401 since the last valid key. */
  unauthorizedCount: number
}

export interface Connections {
  /** Call for each new connection. Closes one if there are too many. */
  open(socket: Socket): void
  /** Call for each request. */
  beginRequest(socket: Socket): Connection
  endRequest(connection: Connection): void
  noteValidKey(connection: Connection): void
  /** Sets `Connection` and `Keep-Alive` if they differ from Node's. Counts responses 401. */
  setKeepAlive(response: ServerResponse, connection: Connection): void
  /** Closes connections without a request: Node considers them active, and would wait for them when it stops. */
  closeUnused(): void
}

interface ConnectionLimits {
  readonly maxConnections: number
  readonly keepAliveWithoutKeyMs: Milliseconds
  /** 0 is no limit. */
  readonly maxUnauthorizedInARow: number
}

export function createConnections(
  { maxConnections, keepAliveWithoutKeyMs, maxUnauthorizedInARow }: ConnectionLimits,
  observe: Observe,
): Connections {
  const connections = new WeakMap<Socket, Connection>()
  /** Connections without a valid key so far, oldest first. */
  const withoutKey = createLink()
  /** Connections with a valid key and no request in flight, longest idle first. */
  const idle = createLink()
  let count = 0

  function remove(connection: Connection): void {
    if (connection.isClosed) return
    connection.isClosed = true
    unlink(connection)
    count -= 1
  }

  function open(socket: Socket): Connection {
    const connection: Connection = Object.assign(createLink(), {
      socket,
      address: socket.remoteAddress,
      hadValidKey: false,
      isClosed: false,
      activeRequestCount: 0,
      unauthorizedCount: 0,
    })
    connections.set(socket, connection)
    count += 1
    if (count > maxConnections) {
      const closed = firstOf(withoutKey) ?? firstOf(idle) ?? connection
      remove(closed)
      closed.socket.destroy()
      observe({ kind: 'connection-closed', reason: 'limit' })
    }
    if (connection.isClosed) return connection
    append(withoutKey, connection)
    socket.once('close', () => remove(connection))
    return connection
  }

  /** @returns whether the connection is closed after this response */
  function countUnauthorized(connection: Connection): boolean {
    connection.unauthorizedCount += 1
    if (connection.unauthorizedCount !== maxUnauthorizedInARow) return false
    observe({ kind: 'connection-closed', reason: 'unauthorized' })
    return true
  }

  return {
    open: socket => void open(socket),
    beginRequest(socket) {
      const connection = connections.get(socket) ?? open(socket)
      connection.activeRequestCount += 1
      if (connection.hadValidKey) unlink(connection)
      return connection
    },
    endRequest(connection) {
      connection.activeRequestCount -= 1
      if (connection.activeRequestCount > 0 || connection.isClosed) return
      if (connection.hadValidKey) append(idle, connection)
      // why: overrides Node's keep-alive timeout, which is the same for all connections and already set
      else connection.socket.setTimeout(keepAliveWithoutKeyMs)
    },
    noteValidKey(connection) {
      connection.unauthorizedCount = 0
      if (connection.hadValidKey) return
      connection.hadValidKey = true
      unlink(connection)
    },
    setKeepAlive(response, connection) {
      const isLast = response.statusCode === 401 && countUnauthorized(connection)
      if (response.headersSent || response.hasHeader('Connection')) return
      if (isLast) response.setHeader('Connection', 'close')
      else if (!connection.hadValidKey && response.shouldKeepAlive) {
        response.setHeader('Keep-Alive', `timeout=${Math.floor(keepAliveWithoutKeyMs / 1000)}`)
      }
    },
    closeUnused() {
      for (let node = withoutKey.next; node !== withoutKey; node = node.next) {
        const { socket } = node as Connection
        if (socket.bytesRead === 0) socket.destroy()
      }
    },
  }
}

/** An empty list, or a node without a list. */
function createLink(): Link {
  const link = {} as Link
  link.previous = link
  link.next = link
  return link
}

function unlink(node: Link): void {
  node.previous.next = node.next
  node.next.previous = node.previous
  node.previous = node
  node.next = node
}

function append(list: Link, node: Link): void {
  node.previous = list.previous
  node.next = list
  list.previous.next = node
  list.previous = node
}

function firstOf(list: Link): Connection | undefined {
  return list.next === list ? undefined : (list.next as Connection)
}
