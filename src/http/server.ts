/** A Node server with the limits that a public port needs; what is no HTTP is answered with a problem. */
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Problem, PROBLEMS } from '../errors.ts'
import type { ProblemCode } from '../errors.ts'
import { problemBody, PROBLEM_CONTENT_TYPE } from './problem.ts'
import { randomUUID } from 'node:crypto'

/** So many requests may wait behind another on a connection: each is memory that needs no key. */
const MAX_PIPELINED = 100

/** A refused client has this long to read why. */
const REFUSED_LINGER_MS = 1000

export function createServer(listener: RequestListener): Server {
  const begin = inTurn(onlySound(listener))
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
    },
    begin,
  )
  // why: an expectation that is not known may be ignored; Node would answer without a body
  server.on('checkExpectation', begin)
  server.on('connect', (_request, socket) => refuse('HPE_INVALID_METHOD', socket as Socket))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuse(error.code, socket as Socket),
  )
  return server
}

/**
 * Begins a request when its response has the socket. A pipelined one waits for those before it, and
 * never begins if the client leaves first: Node tells only the response that has the socket of that.
 */
function inTurn(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()

  function wait({ socket }: IncomingMessage, by: number): number {
    const count = (waiting.get(socket) ?? 0) + by
    waiting.set(socket, count)
    return count
  }

  return (request, response) => {
    if (response.socket) listener(request, response)
    else if (wait(request, 1) > MAX_PIPELINED) request.socket.destroy()
    else {
      response.once('socket', () => {
        wait(request, -1)
        listener(request, response)
      })
    }
  }
}

/** Refuses what Node lets through: a target that is no URL, and not exactly one `Host` in HTTP/1.1. */
function onlySound(listener: RequestListener): RequestListener {
  return (request, response) => {
    const hosts = hostCount(request.rawHeaders)
    const hostIsRight = hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')
    if (hostIsRight && isTarget(request.url ?? '')) listener(request, response)
    else refuseWith(request.socket, parseProblem(undefined))
  }
}

function hostCount(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

function isTarget(url: string): boolean {
  return url.startsWith('/') || url === '*' || URL.canParse(url)
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

/** @param nodeCode what Node's parser found, as in `HPE_HEADER_OVERFLOW` */
function refuse(nodeCode: string | undefined, socket: Socket): void {
  if (nodeCode === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  refuseWith(socket, parseProblem(nodeCode))
}

function refuseWith(socket: Socket, problem: Problem): void {
  // why: Node takes its own listener off a CONNECT's socket, and a reset would end the process
  socket.on('error', () => socket.destroy())
  // why: a client that never closes would keep the socket, and a stop waiting for it
  socket.setTimeout(REFUSED_LINGER_MS, () => socket.destroy())
  const { status } = PROBLEMS[problem.code]
  const requestId = randomUUID()
  const body = problemBody(problem, 'ru', requestId)
  socket.end(
    [
      `HTTP/1.1 ${status} ${PROBLEMS[problem.code].title.en}`,
      `Content-Type: ${PROBLEM_CONTENT_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/** Words of ours would be taken for that answer, or stand in the middle of it. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return response !== undefined && response !== null
}

function parseProblem(nodeCode: string | undefined): Problem {
  const codes: Readonly<Record<string, ProblemCode>> = {
    HPE_HEADER_OVERFLOW: 'headers_too_large',
    ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  }
  const code = codes[nodeCode ?? ''] ?? 'bad_request'
  return new Problem(code, {
    ru: 'Это не запрос HTTP/1.1, который сервер может принять.',
    en: 'This is no HTTP/1.1 request that the server can take.',
  })
}
