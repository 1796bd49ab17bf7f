/** Sends responses and problems: 304, HEAD and ranges, from memory or from a file. Limits slow clients. */
import type { ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/config.ts'
import { internalError, printable, Problem, PROBLEMS } from '../../model/errors.ts'
import type { Bytes, Clock } from '../../model/terms.ts'
import { gzipChunks } from '../report/gzip.ts'
import { tooMuchBuffered } from '../report/outgoing-bodies.ts'
import type { OutgoingBodies } from '../report/outgoing-bodies.ts'
import type { ActiveRequests } from './active-requests.ts'
import { etagMatches, readRange, requireMatch } from './conditional-request.ts'
import type { Connections } from './connections.ts'
import { chooseLanguage } from './negotiation.ts'
import { problemBody, problemHead } from './problem.ts'
import type { Request } from './request.ts'
import type { Response } from './response.ts'
import { cacheStatus, SECURITY_HEAD, serverTiming } from './response-head.ts'

export type Sender = ReturnType<typeof createSender>

/** Each has about 100 bytes. */
const MAX_TOO_SLOW = 1000

export function createSender(options: {
  readonly requests: ActiveRequests
  readonly connections: Connections
  /** Counts the bytes that clients have not read. */
  readonly outgoing: OutgoingBodies
  readonly config: Config
  readonly draining: () => boolean
  readonly now: Clock
}) {
  const { requests, connections, outgoing, draining, now } = options
  const { stallTimeoutMs, longestDownloadMs } = options.config
  /** Downloads that were ended. */
  const tooSlow = new LRUCache<string, true>({ max: MAX_TOO_SLOW })

  function writeHead(request: Request, status: number, head: string[]): void {
    const { response, origin, cors, connection, fact, startedAt, authMs } = request
    head.push('X-Request-Id', origin.requestId, ...SECURITY_HEAD)
    const firstByteMs = now() - startedAt
    fact.firstByteMs = firstByteMs
    if (authMs !== undefined)
      head.push('Server-Timing', serverTiming(authMs, fact.cache && firstByteMs - authMs))
    if (cors !== undefined) head.push('Vary', 'Origin', ...cors)
    if (draining() || (status === 401 && connections.endsUnauthorized(connection)))
      head.push('Connection', 'close')
    response.writeHead(status, head)
  }

  /** Ends the request when the kernel has accepted all bytes, or the client has disconnected. */
  function endWithResponse(request: Request, release?: () => void): void {
    const { response, incoming } = request
    const ended = (aborted: boolean): void => {
      release?.()
      requests.end(request, aborted)
    }
    const limit = setTimeout(() => {
      tooSlow.set(downloadKey(request), true)
      response.destroy()
    }, longestDownloadMs)
    response.setTimeout(stallTimeoutMs, () => response.destroy())
    // why: Node 20 emits 'finish' even if the socket was destroyed during the response
    response.once('finish', () => ended(incoming.socket.destroyed))
    response.once('close', () => {
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
    request: Request,
    status: number,
    head: string[],
    bytes?: Buffer,
    whole = bytes,
  ): void {
    const { response, incoming, method, organization } = request
    if (bytes !== undefined) head.push('Content-Length', String(bytes.length))
    const sent = method === 'HEAD' ? undefined : bytes
    request.fact.sentBytes = sent?.length ?? 0
    writeHead(request, status, head)
    response.end(sent)
    const { socket } = incoming
    // why: in the common case no listener is needed; listeners cost as much as the look-up of a key
    if (socket.destroyed || socket.writableLength === 0) requests.end(request, socket.destroyed)
    else endWithResponse(request, sent && outgoing.begin(organization?.id ?? '', whole!))
  }

  /**
   * Sends the error of a request. If a part of the response was sent, disconnects the client, so that it does not take
   * that part for a complete body.
   * @param more headers, alternating names and values
   */
  function sendProblem(request: Request, error: unknown, more: readonly string[] = []): void {
    const { response, headers, origin, fact } = request
    const problem = error instanceof Problem ? error : internalError(error)
    const { code, cause, refusal, retryAfterSeconds } = problem
    Object.assign(fact, { problem: code, cause, refusal, retryAfterSeconds })
    if (response.headersSent) return void response.destroy()
    const language = chooseLanguage(headers.acceptLanguage)
    const head = [...problemHead(problem, language), ...more]
    const text = problemBody(problem, language, origin.requestId)
    // why: curl takes a body as long as its part for a sign that the download is complete
    const isOfPart = headers.range === `bytes=${Buffer.byteLength(text)}-`
    const body = Buffer.from(isOfPart ? `${text}\n` : text)
    sendBytes(request, PROBLEMS[code].status, head, body)
  }

  async function sendParts(request: Request, parts: AsyncIterable<Buffer>): Promise<void> {
    const { response } = request
    endWithResponse(request)
    try {
      for await (const part of parts) {
        request.fact.sentBytes += part.length
        await written(response, part)
      }
      response.end()
    } catch (error) {
      if (!response.destroyed) sendProblem(request, error)
    }
  }

  /** @throws Problem `precondition_failed` or `precondition_required`, before anything is sent */
  function send(request: Request, response: Response): void {
    // why: the client may have disconnected meanwhile
    if (request.isOver) return
    const { headers, method, fact, organization } = request
    const { etag, body, metadata, coding } = response
    const { length } = body
    const head = response.head.slice()
    if (metadata !== undefined) {
      fact.format = response.format
      fact.cache = metadata.outcome
      fact.ageSeconds = metadata.ageSeconds
      head.push('Age', String(metadata.ageSeconds), 'Cache-Status', cacheStatus(metadata))
    }
    const { ifMatch, ifNoneMatch } = headers
    if (etag !== undefined && ifMatch !== undefined) requireMatch(ifMatch, etag)
    if (etag !== undefined && ifNoneMatch !== undefined && etagMatches(ifNoneMatch, etag))
      return sendBytes(request, 304, head)
    const range = method === 'GET' && metadata !== undefined ? headers.range : undefined
    const part = range && readRange(headers, etag!, length)
    if (part === 'none') {
      const unsatisfied = ['Content-Range', `bytes */${length}`]
      return sendProblem(request, notSatisfiable(range!, length), unsatisfied)
    }
    const { start, end } = part || { start: 0, end: length }
    const status = part ? 206 : 200
    head.push('Content-Type', response.contentType)
    if (part) head.push('Content-Range', `bytes ${start}-${end - 1}/${length}`)
    if (Buffer.isBuffer(body)) {
      if (method !== 'HEAD' && !outgoing.fits(organization?.id ?? '', body))
        return sendProblem(request, tooMuchBuffered())
      return sendBytes(request, status, head, part ? body.subarray(start, end) : body, body)
    }
    if (coding !== 'gzip') head.push('Content-Length', String(end - start))
    if (method === 'HEAD') return sendBytes(request, status, head)
    writeHead(request, status, head)
    const parts = body.parts(start, end)
    void sendParts(request, coding === 'gzip' ? gzipChunks(parts) : parts)
  }

  return {
    send,
    sendProblem,
    sendBytes,
    /** Whether a download of the report did not end in time: a compressed one could not be continued. */
    wasTooSlow: (request: Request): boolean => tooSlow.has(downloadKey(request)),
  }
}

function downloadKey({ organization, path }: Request): string {
  return `${organization?.id} ${path}`
}

/** Resolves when the kernel has accepted the bytes. @throws Error if the client disconnects */
function written(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the client disconnected'))
    response.once('close', onClose)
    response.write(bytes, error => {
      response.off('close', onClose)
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
