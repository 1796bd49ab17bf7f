/** Rejects bytes that are no request: sends a problem and closes the connection. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, PROBLEMS } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Product } from '../../definitions/product.ts'
import { HEADERS_TOO_LARGE, NOT_HTTP } from './request.ts'
import { problemResponse, SECURITY_HEAD } from './response.ts'

/** Time for the client to read the problem. */
const LINGER_MS = 1000

/** why: Node's parser reports each chunk that follows invalid bytes */
const refused = new WeakSet<Socket>()

/**
 * Requests before these bytes get their responses first.
 * @param nodeCode error code of Node's parser, such as `HPE_HEADER_OVERFLOW`; undefined for a CONNECT
 */
export function refuseRequest(
  nodeCode: string | undefined,
  socket: Socket,
  observe: Observe,
  product: Product,
  language = product.language,
): void {
  // why: without a byte there was no request
  const isSilent = nodeCode === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0
  // why: Node has removed its listeners from a CONNECT's socket, so that its responses may never end
  const isDetached = nodeCode === undefined && responseOf(socket) !== undefined
  if (isSilent || isDetached) return void socket.destroy()
  if (refused.has(socket)) return
  refused.add(socket)
  sendAfterOthers()

  function sendAfterOthers(): void {
    const current = responseOf(socket)
    // why: the client would take a problem for a part of the response
    if (current !== undefined) current.once('close', sendAfterOthers)
    else if (socket.writable) sendProblem(PROBLEMS_OF_NODE[nodeCode ?? ''] ?? NOT_HTTP)
  }

  function sendProblem(problem: Problem): void {
    // why: Node removes its listener from a CONNECT's socket, and an unhandled reset would end the process
    socket.on('error', () => socket.destroy())
    // why: a client that never closes would delay the stop of the server
    socket.setTimeout(LINGER_MS, () => socket.destroy())
    const { status } = PROBLEMS[problem.code]
    const requestId = randomUUID()
    const { head, text } = problemResponse(problem, language, product, requestId)
    const sentBytes = Buffer.byteLength(text)
    head.push(...SECURITY_HEAD, 'Content-Length', String(sentBytes), 'X-Request-Id', requestId)
    head.push('Connection', 'close')
    const lines = head.map((part, at) => `${part}${at % 2 === 0 ? ': ' : '\r\n'}`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
    observe({
      kind: 'request',
      requestId,
      peerAddress: socket.remoteAddress,
      method: 'unknown',
      route: 'other',
      status,
      problem: problem.code,
      durationMs: 0,
      sentBytes,
      shortcut: false,
      aborted: false,
    })
  }
}

/** The response that is being made or sent. */
function responseOf(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}

const PROBLEMS_OF_NODE: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: new Problem('request_timeout', texts => texts.lateRequest),
}
