/** Rejects a request before the API receives it: sends a problem and closes the connection. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, PROBLEMS } from '../../model/errors.ts'
import type { Detail, ProblemCode } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import { chooseLanguage } from './negotiation.ts'
import type { Language } from './negotiation.ts'
import { MAX_HEADER_BYTES } from './request-head.ts'
import { problemBody, PROBLEM_CONTENT_TYPE } from './problem.ts'

/** Time for the client to read the problem. */
const LINGER_MS = 1000

/** @param nodeCode error code of Node's parser, such as `HPE_HEADER_OVERFLOW` */
export function refuseBytes(nodeCode: string | undefined, socket: Socket, observe: Observe): void {
  const code = PROBLEMS_OF_NODE[nodeCode ?? ''] ?? 'bad_request'
  // why: without a byte there was no request
  const isSilent = nodeCode === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0
  if (isSilent || isResponding(socket)) socket.destroy()
  else refuse(socket, code, 'unknown', 'ru', observe)
}

const PROBLEMS_OF_NODE: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export function refuseRequest(
  { method = 'unknown', headers }: IncomingMessage,
  socket: Socket,
  code: ProblemCode,
  observe: Observe,
): void {
  refuse(socket, code, method, chooseLanguage(headers['accept-language']), observe)
}

/** A CONNECT may be pipelined: Node passes its socket while previous responses are being sent. */
export function refuseConnect(request: IncomingMessage, socket: Socket, observe: Observe): void {
  if (isResponding(socket)) socket.destroy()
  else refuseRequest(request, socket, 'bad_request', observe)
}

function refuse(
  socket: Socket,
  code: ProblemCode,
  method: string,
  language: Language,
  observe: Observe,
): void {
  // why: Node removes its listener from a CONNECT's socket, and an unhandled reset would end the process
  socket.on('error', () => socket.destroy())
  // why: a client that never closes would delay the stop of the server
  socket.setTimeout(LINGER_MS, () => socket.destroy())
  const { status } = PROBLEMS[code]
  const requestId = randomUUID()
  const body = problemBody(new Problem(code, DETAILS[code] ?? NOT_HTTP), language, requestId)
  const sentBytes = Buffer.byteLength(body)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${PROBLEM_CONTENT_TYPE}`,
      `Content-Length: ${sentBytes}`,
      `Content-Language: ${language}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Cross-Origin-Resource-Policy: same-origin',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  observe({
    kind: 'request',
    requestId,
    peerAddress: socket.remoteAddress,
    method,
    route: 'other',
    status,
    problem: code,
    durationMs: 0,
    sentBytes,
    shortcut: false,
    aborted: false,
  })
}

/** A response is being sent: the client would take a problem for a part of it. */
function isResponding(socket: Socket): boolean {
  return Boolean((socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage)
}

const NOT_HTTP: Detail = {
  ru: 'Запрос не соответствует HTTP/1.1, или его адрес не является ни путём, ни URL http.',
  en: 'The request is not valid HTTP/1.1, or its target is neither a path nor an http URL.',
}

const DETAILS: Readonly<Partial<Record<ProblemCode, Detail>>> = {
  headers_too_large: {
    ru: `Адрес и заголовки запроса вместе больше ${MAX_HEADER_BYTES} байт.`,
    en: `The target and headers of the request exceed ${MAX_HEADER_BYTES} bytes in total.`,
  },
  request_timeout: {
    ru: 'Запрос не пришёл целиком за отведённое время.',
    en: 'The request did not arrive completely in time.',
  },
}
