/** Sends responses and problems: 304, HEAD and ranges, from memory or from a file. Limits slow clients. */
import type { ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/config.ts'
import { internalError, printable, Problem, PROBLEMS } from '../../model/errors.ts'
import type { Bytes, Clock } from '../../model/terms.ts'
import { gzipChunks } from '../report/gzip.ts'
import { tooMuchBuffered, type OutgoingBodies } from '../report/outgoing-bodies.ts'
import { cacheOutcomeOf, type ActiveRequests } from './active-requests.ts'
import { etagMatches, readRange, requireMatch } from './conditional-request.ts'
import type { Connections } from './connections.ts'
import { chooseLanguage } from './negotiation.ts'
import type { Exchange } from './request.ts'
import { cacheStatus, SECURITY_HEAD, serverTiming, problemBody, problemHead } from './response.ts'
import type { Response } from './response.ts'

export type Sender = ReturnType<typeof createSender>

/** Each has about 100 bytes. */
const MAX_TOO_SLOW = 1000

export function createSender(options: {
  readonly requests: ActiveRequests
  readonly connections: Connections
  /** Counts the bytes that clients have not read. */
  readonly outgoingBodies: OutgoingBodies
  readonly config: Config
  readonly draining: () => boolean
  readonly now: Clock
}) {
  const { requests, connections, outgoingBodies, draining, now } = options
  const { stallTimeoutMs, longestDownloadMs } = options.config
  /** Downloads that were ended. */
  const tooSlow = new LRUCache<string, true>({ max: MAX_TOO_SLOW })

  function writeHead(exchange: Exchange, status: number, head: string[]): void {
    const { request, outgoing, cors, connection, access } = exchange
    head.push('X-Request-Id', request.origin.requestId, ...SECURITY_HEAD)
    const firstByteMs = now() - request.startedAt
    exchange.firstByteMs = firstByteMs
    if (access !== undefined) {
      const authMs = access.checkedAt - request.startedAt
      const cacheMs = cacheOutcomeOf(exchange) && firstByteMs - authMs
      head.push('Server-Timing', serverTiming(authMs, cacheMs))
    }
    if (cors !== undefined) head.push('Vary', 'Origin', ...cors)
    if (draining() || (status === 401 && connections.endsUnauthorized(connection)))
      head.push('Connection', 'close')
    outgoing.writeHead(status, head)
  }

  /** Ends the request when the kernel has accepted all bytes, or the client has disconnected. */
  function endWithResponse(exchange: Exchange, release?: () => void): void {
    const { outgoing, incoming } = exchange
    const ended = (aborted: boolean): void => {
      release?.()
      requests.end(exchange, aborted)
    }
    const limit = setTimeout(() => {
      tooSlow.set(downloadKey(exchange), true)
      outgoing.destroy()
    }, longestDownloadMs)
    outgoing.setTimeout(stallTimeoutMs, () => outgoing.destroy())
    // why: Node 20 emits 'finish' even if the socket was destroyed during the response
    outgoing.once('finish', () => ended(incoming.socket.destroyed))
    outgoing.once('close', () => {
      clearTimeout(limit)
      ended(true)
    })
  }

  /**
   * Sends a whole response, and ends the request with it.
   * @param bytes a HEAD gets their length only
   * @param whole the buffer that they are a part of
   */
  function sendBytes(
    exchange: Exchange,
    status: number,
    head: string[],
    bytes?: Buffer,
    whole = bytes,
  ): void {
    const { request, outgoing, access } = exchange
    if (bytes !== undefined) head.push('Content-Length', String(bytes.length))
    const sent = request.method === 'HEAD' ? undefined : bytes
    exchange.sentBytes = sent?.length ?? 0
    writeHead(exchange, status, head)
    outgoing.end(sent)
    const { socket } = exchange.incoming
    // why: in the common case no listener is needed; listeners cost as much as the look-up of a key
    if (socket.destroyed || socket.writableLength === 0) requests.end(exchange, socket.destroyed)
    else
      endWithResponse(exchange, sent && outgoingBodies.begin(access?.organization.id ?? '', whole!))
  }

  /**
   * Sends the error of a request. If a part of the response was sent, disconnects the client, so that it does not take
   * that part for a complete body.
   * @param more headers, alternating names and values
   */
  function sendProblem(exchange: Exchange, error: unknown, more: readonly string[] = []): void {
    const { outgoing, request } = exchange
    const { headers, origin } = request
    const problem = error instanceof Problem ? error : internalError(error)
    exchange.problem = problem
    if (outgoing.headersSent) return void outgoing.destroy()
    const language = chooseLanguage(headers.acceptLanguage)
    const head = [...problemHead(problem, language), ...more]
    const text = problemBody(problem, language, origin.requestId)
    // why: curl takes a body as long as its part for a sign that the download is complete
    const isOfPart = headers.range === `bytes=${Buffer.byteLength(text)}-`
    const body = Buffer.from(isOfPart ? `${text}\n` : text)
    sendBytes(exchange, PROBLEMS[problem.code].status, head, body)
  }

  async function sendParts(exchange: Exchange, parts: AsyncIterable<Buffer>): Promise<void> {
    const { outgoing } = exchange
    endWithResponse(exchange)
    try {
      for await (const part of parts) {
        exchange.sentBytes += part.length
        await written(outgoing, part)
      }
      outgoing.end()
    } catch (error) {
      if (!outgoing.destroyed) sendProblem(exchange, error)
    }
  }

  /** @throws Problem `precondition_failed` or `precondition_required`, before anything is sent */
  function send(exchange: Exchange, response: Response): void {
    // why: the client may have disconnected meanwhile
    if (exchange.isOver) return
    exchange.response = response
    const { headers, method } = exchange.request
    const { etag, body, metadata, coding } = response
    const { length } = body
    const head = response.head.slice()
    if (metadata !== undefined)
      head.push('Age', String(metadata.ageSeconds), 'Cache-Status', cacheStatus(metadata))
    const { ifMatch, ifNoneMatch } = headers
    if (etag !== undefined && ifMatch !== undefined) requireMatch(ifMatch, etag)
    if (etag !== undefined && ifNoneMatch !== undefined && etagMatches(ifNoneMatch, etag))
      return sendBytes(exchange, 304, head)
    const range = method === 'GET' && metadata !== undefined ? headers.range : undefined
    const part = range && readRange(headers, etag!, length)
    if (part === 'none') {
      const unsatisfied = ['Content-Range', `bytes */${length}`]
      return sendProblem(exchange, notSatisfiable(range!, length), unsatisfied)
    }
    const { start, end } = part || { start: 0, end: length }
    const status = part ? 206 : 200
    head.push('Content-Type', response.contentType)
    if (part) head.push('Content-Range', `bytes ${start}-${end - 1}/${length}`)
    if (Buffer.isBuffer(body)) {
      if (method !== 'HEAD' && !outgoingBodies.fits(exchange.access?.organization.id ?? '', body))
        return sendProblem(exchange, tooMuchBuffered())
      return sendBytes(exchange, status, head, part ? body.subarray(start, end) : body, body)
    }
    if (coding !== 'gzip') head.push('Content-Length', String(end - start))
    if (method === 'HEAD') return sendBytes(exchange, status, head)
    writeHead(exchange, status, head)
    const parts = body.parts(start, end)
    void sendParts(exchange, coding === 'gzip' ? gzipChunks(parts) : parts)
  }

  return {
    send,
    sendProblem,
    sendBytes,
    /** Whether a download of the report did not end in time: a compressed one could not be continued. */
    wasTooSlow: (exchange: Exchange): boolean => tooSlow.has(downloadKey(exchange)),
  }
}

function downloadKey({ access, request }: Exchange): string {
  return `${access?.organization.id} ${request.path}`
}

/** Resolves when the kernel has accepted the bytes. @throws Error if the client disconnects */
function written(outgoing: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the client disconnected'))
    outgoing.once('close', onClose)
    outgoing.write(bytes, error => {
      outgoing.off('close', onClose)
      if (error) reject(error)
      else resolve()
    })
  })
}

function notSatisfiable(range: string, length: Bytes): Problem {
  return new Problem('range_not_satisfiable', {
    ru: `В ответе ${length} байт, а в Range запрошено: ${printable(range)}. Возьмите ответ целиком.`,
    en: `The response has ${length} bytes, Range requests ${printable(range)}. Request the whole response.`,
  })
}
