/** Sends responses and problems: 304, 412, HEAD and ranges, from memory or from a file. Limits slow clients. */
import type { ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/config.ts'
import { internalError, Problem, PROBLEMS } from '../../model/errors.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import { gzipChunks, tooMuchBuffered, type OutgoingBodies } from '../report/body.ts'
import { cacheOutcomeOf } from './active-requests.ts'
import type { ActiveRequests, Exchange, Progress } from './active-requests.ts'
import { etagMatches, readRange, requireMatch } from './conditional-request.ts'
import { chooseLanguage } from './negotiation.ts'
import type { Request } from './request.ts'
import { cacheStatus, problemResponse, SECURITY_HEAD, serverTiming } from './response.ts'
import type { Cors, Response } from './response.ts'

export type Sender = ReturnType<typeof createSender>

/** Each has about 100 bytes. */
const MAX_TOO_SLOW = 1000

export function createSender(options: {
  readonly requests: ActiveRequests
  /** Counts the bytes that clients have not read. */
  readonly outgoingBodies: OutgoingBodies
  readonly cors: Cors
  readonly config: Config
  readonly draining: () => boolean
  readonly now: Clock
}) {
  const { requests, outgoingBodies, cors, draining, now } = options
  const { stallTimeoutMs, longestDownloadMs } = options.config
  /** Downloads that were ended. */
  const tooSlow = new LRUCache<string, true>({ max: MAX_TOO_SLOW })

  /** @returns the time since the request began */
  function writeHead(
    { request, outgoing, connection }: Exchange,
    progress: Progress,
    status: number,
    head: string[],
  ): Milliseconds {
    head.push('X-Request-Id', request.origin.requestId, ...SECURITY_HEAD)
    const { access } = progress
    const firstByteMs = now() - request.startedAt
    if (access !== undefined) {
      const authMs = access.checkedAt - request.startedAt
      const cacheMs = cacheOutcomeOf(progress) && firstByteMs - authMs
      head.push('Server-Timing', serverTiming(authMs, cacheMs))
    }
    cors.addHead(head, request)
    if (draining() || (status === 401 && requests.endsUnauthorized(connection)))
      head.push('Connection', 'close')
    outgoing.writeHead(status, head)
    return firstByteMs
  }

  /** @param ended called when the kernel has accepted all bytes, or the client has disconnected */
  function watch(
    { request, incoming, outgoing }: Exchange,
    { access }: Progress,
    ended: (aborted: boolean) => void,
  ): void {
    const limit = setTimeout(() => {
      tooSlow.set(downloadKey(request, access?.organization), true)
      outgoing.destroy()
    }, longestDownloadMs)
    outgoing.setTimeout(stallTimeoutMs, () => outgoing.destroy())
    outgoing.once('close', () => {
      clearTimeout(limit)
      // why: Node 20 finishes even if the socket was destroyed during the response
      ended(!outgoing.writableFinished || incoming.socket.destroyed)
    })
  }

  /**
   * Sends a whole response, and ends the request with it.
   * @param bytes a HEAD gets their length only
   * @param whole the buffer that they are a part of
   */
  function sendBytes(
    exchange: Exchange,
    progress: Progress,
    status: number,
    head: string[],
    bytes?: Buffer,
    whole = bytes,
  ): void {
    const { request, outgoing } = exchange
    if (bytes !== undefined) head.push('Content-Length', String(bytes.length))
    const body = request.method === 'HEAD' ? undefined : bytes
    const sentBytes = body?.length ?? 0
    const firstByteMs = writeHead(exchange, progress, status, head)
    outgoing.end(body)
    const { socket } = exchange.incoming
    const end = (aborted: boolean): void =>
      requests.end(exchange, progress, { firstByteMs, sentBytes, aborted })
    // why: in the common case no listener is needed; listeners cost as much as the look-up of a key
    if (socket.destroyed || socket.writableLength === 0) return end(socket.destroyed)
    const { id = '' } = progress.access?.organization ?? {}
    const release = body && outgoingBodies.begin(id, whole!)
    watch(exchange, progress, aborted => {
      release?.()
      end(aborted)
    })
  }

  /**
   * Sends a part after the other, and ends the request with the last. If one fails, disconnects the client, so that it
   * does not take what it has for a complete body.
   */
  async function sendParts(
    exchange: Exchange,
    progress: Progress,
    status: number,
    head: string[],
    parts: AsyncIterable<Buffer>,
  ): Promise<void> {
    const { outgoing } = exchange
    const firstByteMs = writeHead(exchange, progress, status, head)
    let sentBytes = 0
    let problem: Problem | undefined
    watch(exchange, progress, aborted =>
      requests.end(exchange, { ...progress, problem }, { firstByteMs, sentBytes, aborted }),
    )
    try {
      for await (const part of parts) {
        sentBytes += part.length
        await written(outgoing, part)
      }
      outgoing.end()
    } catch (error) {
      if (!outgoing.destroyed) problem = problemOf(error)
      outgoing.destroy()
    }
  }

  /** Ends a request that nothing can be sent for: its client has disconnected, or has a part of another response. */
  function endUnsent(exchange: Exchange, progress: Progress): void {
    exchange.outgoing.destroy()
    requests.end(exchange, progress, { sentBytes: 0, aborted: true })
  }

  /** @param more headers, alternating names and values */
  function sendProblem(
    exchange: Exchange,
    before: Progress,
    error: unknown,
    more: readonly string[] = [],
  ): void {
    const { outgoing, request } = exchange
    if (outgoing.closed || outgoing.headersSent) return endUnsent(exchange, before)
    const { headers, origin, product } = request
    const problem = problemOf(error)
    const language = chooseLanguage(headers.acceptLanguage, product)
    const { head, text } = problemResponse(problem, language, product, origin.requestId)
    head.push(...more)
    if (problem.code === 'range_not_satisfiable')
      head.push('Content-Range', `bytes */${before.response!.body.length}`)
    // why: curl takes a body as long as its part for a sign that the download is complete
    const isOfPart = headers.range === `bytes=${Buffer.byteLength(text)}-`
    const body = Buffer.from(isOfPart ? `${text}\n` : text)
    sendBytes(exchange, { ...before, problem }, PROBLEMS[problem.code].status, head, body)
  }

  /** @throws Problem if the conditions of the request are not met, before anything is sent */
  function sendConditional(exchange: Exchange, progress: Progress, response: Response): void {
    const { headers, method } = exchange.request
    const { etag = '', body, metadata, coding } = response
    const { length } = body
    const head = response.head.slice()
    if (metadata !== undefined)
      head.push('Age', String(metadata.ageSeconds), 'Cache-Status', cacheStatus(metadata))
    const { ifMatch, ifNoneMatch } = headers
    if (etag !== '' && ifMatch !== undefined) requireMatch(ifMatch, etag)
    if (etag !== '' && ifNoneMatch !== undefined && etagMatches(ifNoneMatch, etag))
      return sendBytes(exchange, progress, 304, head)
    const range = method === 'GET' && metadata !== undefined ? headers.range : undefined
    const part = range && readRange(headers, etag, length)
    const { start, end } = part || { start: 0, end: length }
    const status = part ? 206 : 200
    head.push('Content-Type', response.contentType)
    if (part) head.push('Content-Range', `bytes ${start}-${end - 1}/${length}`)
    if (Buffer.isBuffer(body)) {
      const { id = '' } = progress.access?.organization ?? {}
      if (method !== 'HEAD' && !outgoingBodies.fits(id, body)) throw tooMuchBuffered()
      return sendBytes(
        exchange,
        progress,
        status,
        head,
        part ? body.subarray(start, end) : body,
        body,
      )
    }
    if (coding !== 'gzip') head.push('Content-Length', String(end - start))
    if (method === 'HEAD') return sendBytes(exchange, progress, status, head)
    const parts = body.parts(start, end)
    void sendParts(exchange, progress, status, head, coding === 'gzip' ? gzipChunks(parts) : parts)
  }

  return {
    /** Sends the response, or why its request cannot get it. */
    send(exchange: Exchange, before: Progress, response: Response): void {
      // why: the client may have disconnected meanwhile
      if (exchange.outgoing.closed) return endUnsent(exchange, before)
      const progress = { ...before, response }
      try {
        sendConditional(exchange, progress, response)
      } catch (error) {
        sendProblem(exchange, progress, error)
      }
    },
    sendProblem,
    sendBytes,
    endUnsent,
    /** Whether a download of the report did not end in time: a compressed one could not be continued. */
    wasTooSlow: (request: Request, organization: Organization): boolean =>
      tooSlow.has(downloadKey(request, organization)),
  }
}

function downloadKey({ path }: Request, organization?: Organization): string {
  return `${organization?.id} ${path}`
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

function problemOf(error: unknown): Problem {
  return error instanceof Problem ? error : internalError(error)
}
