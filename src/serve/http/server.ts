/** A Node server with the limits that a public port needs: of heads, times and pipelined requests; invalid HTTP gets a problem. */
import { createServer as createHttpServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Bytes } from '../../model/terms.ts'
import { refuseBytes, refuseConnect, refuseRequest } from './refuse-request.ts'
import type { OnRefused } from './refuse-request.ts'
import {
  HEADER_OVERHEAD_BYTES,
  headerBytes,
  headProblem,
  MAX_HEADER_BYTES,
} from './request-head.ts'

export function createServer(
  listener: RequestListener,
  {
    onRefused = () => {},
    onPipelined = () => {},
  }: {
    readonly onRefused?: OnRefused
    /** A connection is closed, because too many pipelined requests wait on it. */
    readonly onPipelined?: () => void
  } = {},
): Server {
  const begin = oneAtATime(onlySound(listener, onRefused), onPipelined)
  const server = createHttpServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // why: Node's default of 30 s makes a 10 s headersTimeout last 40 s
      connectionsCheckingInterval: 1000,
      // why: longer than the 60 s that load balancers keep a connection idle, else they meet resets
      keepAliveTimeout: 75_000,
      // why: Node's own answer has no body; `onlySound` gives a problem
      requireHostHeader: false,
      // why: Node refuses what is as large as this; it counts neither line ends nor colons
      maxHeaderSize: MAX_HEADER_BYTES + 1,
    },
    begin,
  )
  // why: Node drops headers beyond this number; so many are larger than the limit
  server.maxHeadersCount = Math.ceil(MAX_HEADER_BYTES / HEADER_OVERHEAD_BYTES)
  // why: an expectation that is not known may be ignored; Node would answer without a body
  server.on('checkExpectation', begin)
  server.on('connect', (request, socket) => refuseConnect(request, socket as Socket, onRefused))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseBytes(error.code, socket as Socket, onRefused),
  )
  return server
}

/** Refuses what Node lets through: large headers, a target that is none, not exactly one `Host` in HTTP/1.1. */
function onlySound(listener: RequestListener, onRefused: OnRefused): RequestListener {
  return (request, response) => {
    const problem = headProblem(request)
    if (problem === undefined) listener(request, response)
    else refuseRequest(request, request.socket, problem, onRefused)
  }
}

/** Of one connection: each is memory that needs no key. */
const MAX_WAITING = 20
const MAX_WAITING_BYTES: Bytes = 32 * 1024

interface Waiting {
  requestCount: number
  bytes: Bytes
}

/**
 * Begins a request when its response has the socket. A pipelined one waits for those before it, and
 * never begins if the client disconnects first: Node tells only the response that has the socket of
 * that. If more wait than may, the connection is closed.
 *
 * @param onClosed once for each connection that is closed
 *
 * why: a socket that is not read until they have ended would not tell that its client disconnected
 */
function oneAtATime(listener: RequestListener, onClosed: () => void): RequestListener {
  const waitingOf = new WeakMap<Socket, Waiting>()

  return (request, response) => {
    if (response.socket) {
      listener(request, response)
      return
    }
    const { socket } = request
    const waiting = waitingOf.get(socket) ?? { requestCount: 0, bytes: 0 }
    const bytes = headerBytes(request)
    waiting.requestCount += 1
    waiting.bytes += bytes
    if (waiting.requestCount > MAX_WAITING || waiting.bytes > MAX_WAITING_BYTES) {
      // why: Node goes on with what it has read of a connection that is closed
      if (!socket.destroyed) onClosed()
      socket.destroy()
      return
    }
    waitingOf.set(socket, waiting)
    response.once('socket', () => {
      waiting.requestCount -= 1
      waiting.bytes -= bytes
      listener(request, response)
    })
  }
}

/** @throws Error with code `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, ... as Node reports it. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Stops accepting, lets what is in flight finish, closes connections as they fall idle. */
export function close(server: Server, timeoutMs: number): Promise<void> {
  return new Promise(resolve => {
    const sweep = setInterval(() => server.closeIdleConnections(), 100)
    const hardStop = setTimeout(() => server.closeAllConnections(), timeoutMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(hardStop)
      resolve()
    })
    server.closeIdleConnections()
  })
}
