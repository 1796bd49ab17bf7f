/** An HTTP server with limits for headers, times and pipelined requests. Invalid requests receive a problem. */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { DEFAULT_PRODUCT } from '../../definitions/product.ts'
import type { Observe } from '../../model/observation.ts'
import type { Bytes } from '../../model/terms.ts'
import { chooseLanguage } from './negotiation.ts'
import { refuseRequest } from './refuse-request.ts'
import { MAX_HEADER_BYTES, MAX_HEADERS, readHead, type RequestHead } from './request.ts'

/** Serves a request, or rejects it with the problem of its head. */
export type Listener = (
  incoming: IncomingMessage,
  response: ServerResponse,
  head: RequestHead,
) => void

/** @param product the one in use now */
export function createServer(
  listener: Listener,
  observe: Observe = () => {},
  product = () => DEFAULT_PRODUCT,
): Server {
  const begin = inSequence(listener, observe)
  const server = createHttpServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // why: with Node's default of 30 s, a headersTimeout of 10 s may take 40 s
      connectionsCheckingInterval: 1000,
      // why: longer than the 60 s of load balancers, which would otherwise reuse a closed connection
      keepAliveTimeout: 75_000,
      // why: Node's response has no body; ours is a problem
      requireHostHeader: false,
      // why: Node's limit is exclusive, and counts neither line ends nor colons
      maxHeaderSize: MAX_HEADER_BYTES + 1,
    },
    begin,
  )
  // why: Node ignores headers beyond this number
  server.maxHeadersCount = MAX_HEADERS + 1
  // why: an unknown expectation may be ignored; Node would respond without a body
  server.on('checkExpectation', begin)
  // why: it may be pipelined; Node passes its socket while previous responses are being sent
  server.on('connect', ({ headers }, socket) => {
    const language = chooseLanguage(headers['accept-language'], product())
    refuseRequest(undefined, socket as Socket, observe, product(), language)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseRequest(error.code, socket as Socket, observe, product()),
  )
  return server
}

/** Per connection, since waiting requests use memory before their keys are checked. */
const MAX_WAITING_BYTES: Bytes = 32 * 1024
/** What a request costs besides its head: 20 short ones may wait. */
const REQUEST_BYTES: Bytes = 1500

/**
 * Serves pipelined requests in sequence: a request begins when its response is assigned the socket. If the client
 * disconnects first, the request never begins, since Node informs only the response that has the socket. If too many
 * requests wait, the connection is closed.
 *
 * why: pausing the socket instead would hide that the client disconnected
 */
function inSequence(listener: Listener, observe: Observe): RequestListener {
  const waitingBytes = new WeakMap<Socket, Bytes>()

  return (incoming, response) => {
    const { socket } = incoming
    // why: Node continues to parse bytes that were received before the connection was closed
    if (!socket.writable) return
    const head = readHead(incoming)
    if (response.socket) return listener(incoming, response, head)
    const bytes = head.bytes + REQUEST_BYTES
    const waiting = (waitingBytes.get(socket) ?? 0) + bytes
    if (waiting > MAX_WAITING_BYTES) {
      observe({ kind: 'connection-closed', reason: 'pipelined' })
      socket.destroy()
      return
    }
    waitingBytes.set(socket, waiting)
    response.once('socket', () => {
      waitingBytes.set(socket, waitingBytes.get(socket)! - bytes)
      listener(incoming, response, head)
    })
  }
}

/** @throws Error with code `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, ... as Node reports it. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await once(server.listen(port, host), 'listening')
  return (server.address() as AddressInfo).port
}

/** Stops accepting connections, finishes requests in flight, and closes connections as they become idle. */
export function close(server: Server, timeoutMs: number): Promise<void> {
  return new Promise(resolve => {
    const sweep = setInterval(() => server.closeIdleConnections(), 100)
    const hardStop = setTimeout(() => server.closeAllConnections(), timeoutMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(hardStop)
      resolve()
    })
  })
}
