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

/** The idle connections of an organization, longest idle first. */
interface Group extends Link {
  readonly organizationId: string
  idleCount: number
  /** With those that have requests in flight. */
  connectionCount: number
}

export interface Connection extends Link {
  readonly socket: Socket
  /** Of the peer; why: a closed socket has none. */
  readonly address: string | undefined
  readonly openedAt: Milliseconds
  /** Of the organization of the last valid key. */
  group: Group | undefined
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
  noteValidKey(connection: Connection, organizationId: string): void
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

/** why: at the limit, a connection needs time to send its key, whoever holds the others */
const GRACE_MS: Milliseconds = 1000

export function createConnections(
  { maxConnections, keepAliveWithoutKeyMs, maxUnauthorizedInARow }: ConnectionLimits,
  observe: Observe,
): Connections {
  const connections = new WeakMap<Socket, Connection>()
  /** Connections without a valid key so far, oldest first. */
  const withoutKey = createLink()
  const groups = new Map<string, Group>()
  /** Groups by their number of idle connections. */
  const byIdleCount: Array<Set<Group>> = []
  let maxIdleCount = 0
  let withoutKeyCount = 0
  let count = 0

  function changeIdleCount(group: Group, change: 1 | -1): void {
    byIdleCount[group.idleCount]?.delete(group)
    group.idleCount += change
    ;(byIdleCount[group.idleCount] ??= new Set()).add(group)
    if (group.idleCount > maxIdleCount) maxIdleCount = group.idleCount
    else if (byIdleCount[maxIdleCount]!.size === 0) maxIdleCount -= 1
  }

  function setIdle(connection: Connection, group: Group, isIdle: boolean): void {
    if ((connection.next !== connection) === isIdle) return
    if (isIdle) append(group, connection)
    else unlink(connection)
    changeIdleCount(group, isIdle ? 1 : -1)
  }

  /** Takes the connection out of its list. */
  function leave(connection: Connection): void {
    const { group } = connection
    if (group === undefined) {
      unlink(connection)
      withoutKeyCount -= 1
      return
    }
    setIdle(connection, group, false)
    group.connectionCount -= 1
    if (group.connectionCount > 0) return
    groups.delete(group.organizationId)
    byIdleCount[0]?.delete(group)
  }

  function remove(connection: Connection): void {
    if (connection.isClosed) return
    connection.isClosed = true
    leave(connection)
    count -= 1
  }

  /** The oldest without a valid key, unless it is new and an organization has more idle ones: then its longest idle. */
  function leastUseful(nowMs: Milliseconds): Connection | undefined {
    const oldest = firstOf(withoutKey)
    const isNew = oldest !== undefined && nowMs - oldest.openedAt < GRACE_MS
    if (oldest !== undefined && (!isNew || withoutKeyCount >= maxIdleCount)) return oldest
    const [largest] = maxIdleCount === 0 ? [] : byIdleCount[maxIdleCount]!
    return largest && firstOf(largest)
  }

  function open(socket: Socket): Connection {
    const connection: Connection = Object.assign(createLink(), {
      socket,
      address: socket.remoteAddress,
      openedAt: performance.now(),
      group: undefined,
      isClosed: false,
      activeRequestCount: 0,
      unauthorizedCount: 0,
    })
    connections.set(socket, connection)
    const closed = count < maxConnections ? undefined : leastUseful(connection.openedAt)
    append(withoutKey, connection)
    withoutKeyCount += 1
    count += 1
    if (count > maxConnections) {
      const { socket: surplus } = closed ?? connection
      remove(closed ?? connection)
      surplus.destroy()
      observe({ kind: 'connection-closed', reason: 'limit' })
    }
    if (connection.isClosed) return connection
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
      if (connection.group !== undefined) setIdle(connection, connection.group, false)
      return connection
    },
    endRequest(connection) {
      connection.activeRequestCount -= 1
      if (connection.activeRequestCount > 0 || connection.isClosed) return
      if (connection.group !== undefined) setIdle(connection, connection.group, true)
      // why: overrides Node's keep-alive timeout, which is the same for all connections and already set
      else connection.socket.setTimeout(keepAliveWithoutKeyMs)
    },
    noteValidKey(connection, organizationId) {
      connection.unauthorizedCount = 0
      if (connection.group?.organizationId === organizationId || connection.isClosed) return
      leave(connection)
      const group = groups.get(organizationId) ?? createGroup(organizationId)
      groups.set(organizationId, group)
      group.connectionCount += 1
      connection.group = group
    },
    setKeepAlive(response, connection) {
      const isLast = response.statusCode === 401 && countUnauthorized(connection)
      if (response.headersSent || response.hasHeader('Connection')) return
      if (isLast) response.setHeader('Connection', 'close')
      else if (connection.group === undefined && response.shouldKeepAlive) {
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

function createGroup(organizationId: string): Group {
  return Object.assign(createLink(), { organizationId, idleCount: 0, connectionCount: 0 })
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
