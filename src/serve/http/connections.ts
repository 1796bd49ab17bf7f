/**
 * The connections of the public port: their limit, which one is closed at the limit, and the idle time-out
 * without a valid key. Knows no keys. Each event takes constant time.
 */
import type { Socket } from 'node:net'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { createLinkedList } from './linked-list.ts'
import type { LinkedList, ListNode } from './linked-list.ts'

export interface Connection extends ListNode<Connection> {
  readonly socket: Socket
  hadValidKey: boolean
  isClosed: boolean
  activeRequestCount: number
  /** Responses 401 since the last valid key. */
  unauthorizedCount: number
}

export interface Connections {
  /** To be called for each new connection. If there are too many, it closes one. */
  open(socket: Socket): void
  /** To be called for each request. */
  beginRequest(socket: Socket): Connection
  endRequest(connection: Connection): void
  noteValidKey(connection: Connection): void
  /** True where the connection is to be closed after this response. */
  noteUnauthorized(connection: Connection): boolean
  /** Closes those that have sent nothing: Node takes them for busy, and its server waits for them when it stops. */
  closeUnused(): void
  /** Of a connection without a valid key so far, between two requests. */
  readonly keepAliveMs: Milliseconds
}

export interface ConnectionLimits {
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
  /** Without a valid key so far, the oldest first. */
  const strangers: LinkedList<Connection> = createLinkedList()
  /** With a valid key and no request in flight, the longest idle first. */
  const idle: LinkedList<Connection> = createLinkedList()
  let count = 0

  function forget(connection: Connection): void {
    if (connection.isClosed) return
    connection.isClosed = true
    connection.list?.remove(connection)
    count -= 1
  }

  function open(socket: Socket): Connection {
    const connection: Connection = {
      socket,
      hadValidKey: false,
      isClosed: false,
      activeRequestCount: 0,
      unauthorizedCount: 0,
      previous: undefined,
      next: undefined,
      list: undefined,
    }
    connections.set(socket, connection)
    count += 1
    if (count > maxConnections) {
      const closed = strangers.first ?? idle.first ?? connection
      forget(closed)
      closed.socket.destroy()
      observe({ kind: 'connection-closed', reason: 'limit' })
    }
    if (connection.isClosed) return connection
    strangers.append(connection)
    socket.once('close', () => forget(connection))
    return connection
  }

  return {
    keepAliveMs: keepAliveWithoutKeyMs,
    open: socket => void open(socket),
    beginRequest(socket) {
      const connection = connections.get(socket) ?? open(socket)
      connection.activeRequestCount += 1
      idle.remove(connection)
      return connection
    },
    endRequest(connection) {
      connection.activeRequestCount -= 1
      if (connection.activeRequestCount > 0 || connection.isClosed) return
      if (connection.hadValidKey) idle.append(connection)
      // why: Node has one time for all connections, and has set it by now
      else connection.socket.setTimeout(keepAliveWithoutKeyMs)
    },
    noteValidKey(connection) {
      connection.unauthorizedCount = 0
      if (connection.hadValidKey) return
      connection.hadValidKey = true
      strangers.remove(connection)
    },
    noteUnauthorized(connection) {
      connection.unauthorizedCount += 1
      if (connection.unauthorizedCount !== maxUnauthorizedInARow) return false
      observe({ kind: 'connection-closed', reason: 'unauthorized' })
      return true
    },
    closeUnused() {
      for (let one = strangers.first; one !== undefined; one = one.next) {
        if (one.socket.bytesRead === 0) one.socket.destroy()
      }
    },
  }
}
