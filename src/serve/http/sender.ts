/** Writes responses: the head as one list, the body, and the end of the request. Limits slow clients. */
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { OutgoingBodies } from '../report/outgoing-bodies.ts'
import type { ActiveRequests } from './active-requests.ts'
import type { Connections } from './connections.ts'
import type { Request } from './request.ts'
import { SECURITY_HEAD, serverTiming } from './response-head.ts'

export interface Sender {
  /**
   * Sends a whole response, and ends the request with it.
   * @param head alternating names and values
   * @param bytes sent from `start` up to `end`; a HEAD gets their length only
   */
  sendBytes(
    request: Request,
    status: number,
    head: readonly string[],
    bytes?: Buffer,
    start?: number,
    end?: number,
  ): void
  /** Sends the head of a response in parts. The request ends with the response, or when the client disconnects. */
  beginParts(request: Request, status: number, head: readonly string[]): void
  /** Whether the body of a response may be buffered for this client. */
  fits(request: Request, bytes: Buffer): boolean
}

/** A download continues by `Range`, with another check of the key. */
const MAX_DOWNLOAD_MS: Milliseconds = 600_000

const CLOSE = ['Connection', 'close']

export function createSender(options: {
  readonly requests: ActiveRequests
  readonly connections: Connections
  /** Counts the bytes that clients have not read. */
  readonly outgoing: OutgoingBodies
  /** A client that reads nothing for this time is disconnected. */
  readonly stallTimeoutMs: Milliseconds
  readonly draining: () => boolean
  readonly now: Clock
}): Sender {
  const { requests, connections, outgoing, stallTimeoutMs, draining, now } = options

  function writeHead(request: Request, status: number, head: readonly string[]): void {
    const { response, facts, origin, cors, connection } = request
    const list = ['X-Request-Id', origin.requestId, ...SECURITY_HEAD, ...head]
    if (facts.authMs !== undefined) {
      list.push('Server-Timing', serverTiming(facts.authMs, facts.cacheMs))
    }
    if (cors !== undefined) list.push('Vary', 'Origin', ...cors)
    list.push(...(draining() ? CLOSE : connections.keepAliveHead(response, connection, status)))
    facts.firstByteAt = now()
    response.writeHead(status, list)
  }

  /** Ends the request when the kernel has accepted all bytes, or the client has disconnected. */
  function endWithResponse(request: Request, release?: () => void): void {
    const { response, incoming } = request
    const ended = (aborted: boolean): void => {
      release?.()
      requests.end(request, aborted)
    }
    const limit = setTimeout(() => response.destroy(), MAX_DOWNLOAD_MS)
    response.setTimeout(stallTimeoutMs, () => response.destroy())
    // why: Node 20 emits 'finish' even if the socket was destroyed during the response
    response.once('finish', () => ended(incoming.socket.destroyed))
    response.once('close', () => {
      clearTimeout(limit)
      ended(true)
    })
  }

  return {
    fits: ({ organization }, bytes) => outgoing.fits(organization?.id ?? '', bytes),
    sendBytes(request, status, head, bytes, start = 0, end = bytes?.length) {
      const { response, incoming, method, organization, facts } = request
      const hasBody = bytes !== undefined && method !== 'HEAD'
      const length = bytes === undefined ? [] : ['Content-Length', String(end! - start)]
      const sent = hasBody ? bytes.subarray(start, end) : undefined
      facts.sentBytes = sent?.length ?? 0
      writeHead(request, status, [...head, ...length])
      response.end(sent)
      const { socket } = incoming
      // why: in the common case no listener is needed; listeners cost as much as the look-up of a key
      if (socket.destroyed || socket.writableLength === 0) requests.end(request, socket.destroyed)
      else
        endWithResponse(
          request,
          hasBody ? outgoing.begin(organization?.id ?? '', bytes) : undefined,
        )
    },
    beginParts(request, status, head) {
      writeHead(request, status, head)
      endWithResponse(request)
    },
  }
}
