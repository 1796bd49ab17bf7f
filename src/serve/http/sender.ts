/** Writes responses: the head as one list, the body, and the end of the request. Limits slow clients. */
import { LRUCache } from 'lru-cache'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { OutgoingBodies } from '../report/outgoing-bodies.ts'
import type { ActiveRequests } from './active-requests.ts'
import type { Connections } from './connections.ts'
import type { Request } from './request.ts'
import { SECURITY_HEAD, serverTiming } from './response-head.ts'

export type Sender = ReturnType<typeof createSender>

/** Each has about 100 bytes. */
const MAX_TOO_SLOW = 1000

export function createSender(options: {
  readonly requests: ActiveRequests
  readonly connections: Connections
  /** Counts the bytes that clients have not read. */
  readonly outgoing: OutgoingBodies
  /** A client that reads nothing for this time is disconnected. */
  readonly stallTimeoutMs: Milliseconds
  /** Of a response: a download continues by `Range`, with another check of the key. */
  readonly longestDownloadMs: Milliseconds
  readonly draining: () => boolean
  readonly now: Clock
}) {
  const { requests, connections, outgoing, stallTimeoutMs, longestDownloadMs } = options
  const { draining, now } = options
  /** Downloads that were ended. */
  const tooSlow = new LRUCache<string, true>({ max: MAX_TOO_SLOW })

  function writeHead(request: Request, status: number, head: string[]): void {
    const { response, origin, cors, connection, fact, startedAt } = request
    head.push('X-Request-Id', origin.requestId, ...SECURITY_HEAD)
    if (request.authMs !== undefined) {
      head.push('Server-Timing', serverTiming(request.authMs, request.cacheMs))
    }
    if (cors !== undefined) head.push('Vary', 'Origin', ...cors)
    if (draining() || (status === 401 && connections.endsUnauthorized(connection)))
      head.push('Connection', 'close')
    fact.firstByteMs = now() - startedAt
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

  return {
    /** Whether a download of the report did not end in time: a compressed one could not be continued. */
    wasTooSlow: (request: Request): boolean => tooSlow.has(downloadKey(request)),
    /** Whether the body of a response may be buffered for this client. */
    fits: ({ organization }: Request, bytes: Buffer): boolean =>
      outgoing.fits(organization?.id ?? '', bytes),
    /**
     * Sends a whole response, and ends the request with it.
     * @param head alternating names and values; more are added
     * @param bytes a HEAD gets their length only
     * @param whole the buffer that they are a part of
     */
    sendBytes(
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
    },
    /** Sends the head of a response in parts. The request ends with the response, or when the client disconnects. */
    beginParts(request: Request, status: number, head: string[]): void {
      writeHead(request, status, head)
      endWithResponse(request)
    },
  }
}

function downloadKey({ organization, path }: Request): string {
  return `${organization?.id} ${path}`
}
