/**
 * The head of a cached response as one text. Only this file depends on internals of Node's ServerResponse: if `_header`
 * is set, Node sends that text instead of creating a head. Node's `writeHead` validates all names and values again,
 * which costs a tenth of a hit (decision 16); it is used only if the internals have changed.
 */
import type { ServerResponse } from 'node:http'
import { COMMON_HEAD, representationHead } from '../response-head.ts'
import type { ResponseHead } from '../response-head.ts'

/** The headers that are equal for all requests. */
export interface CachedHead {
  readonly withBody: HeadLines
  /** For 304: the client has the body. */
  readonly withoutBody: HeadLines
}

/** Alternating names and values in `list`, and the same as `text`. */
interface HeadLines {
  readonly list: readonly string[]
  readonly text: string
}

export function cachedHead(
  head: Omit<ResponseHead, 'metadata'>,
  { bytes, etag }: { readonly bytes: Buffer; readonly etag: string },
): CachedHead {
  const list = [...COMMON_HEAD, ...representationHead(head, etag)]
  const ofBody = ['Content-Type', head.contentType, 'Content-Length', String(bytes.length)]
  return { withBody: headLines([...list, ...ofBody]), withoutBody: headLines(list) }
}

function headLines(list: readonly string[]): HeadLines {
  // why: a concatenated string would be flattened again at every write
  return { list, text: Buffer.from(textOf(list), 'latin1').toString('latin1') }
}

function textOf(list: readonly string[]): string {
  let text = ''
  for (let at = 0; at < list.length; at += 2) text += `${list[at]}: ${list[at + 1]}\r\n`
  return text
}

/**
 * Sets the head of a response that ends in the same turn of the event loop.
 * @param dynamicHeaders alternating names and values
 */
export type WriteHead = (
  response: ServerResponse,
  status: 200 | 304,
  cached: HeadLines,
  dynamicHeaders: readonly string[],
) => void

/** Internals of Node's ServerResponse; undefined if a version of Node lacks them. */
interface NodeInternals {
  _header: string | null
  readonly shouldKeepAlive: boolean
  readonly _keepAliveTimeout: number
  readonly maxRequestsOnConnectionReached: boolean | undefined
  readonly _removedConnection: boolean | undefined
}

const STATUS_LINES = {
  200: 'HTTP/1.1 200 OK\r\n',
  304: 'HTTP/1.1 304 Not Modified\r\n',
} as const

export function createWriteHead(): WriteHead {
  let dateSecond = Number.NaN
  let date = ''

  /** @see https://www.rfc-editor.org/rfc/rfc9110#name-date */
  function dateHeader(): string {
    const second = Math.floor(Date.now() / 1000)
    if (second !== dateSecond) {
      dateSecond = second
      date = `Date: ${new Date(second * 1000).toUTCString()}\r\n`
    }
    return date
  }

  return (response, status, cached, dynamicHeaders) => {
    const internals = response as unknown as NodeInternals
    if (!hasExpectedState(internals)) {
      response.writeHead(status, [...cached.list, ...dynamicHeaders])
      return
    }
    const seconds = Math.floor(internals._keepAliveTimeout / 1000)
    const ofConnection = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`
    response.statusCode = status
    internals._header =
      STATUS_LINES[status] + cached.text + textOf(dynamicHeaders) + dateHeader() + ofConnection
  }
}

function hasExpectedState(internals: NodeInternals): boolean {
  return (
    internals._header === null &&
    internals.shouldKeepAlive &&
    internals.maxRequestsOnConnectionReached === false &&
    internals._removedConnection === false &&
    internals._keepAliveTimeout >= 1000
  )
}
