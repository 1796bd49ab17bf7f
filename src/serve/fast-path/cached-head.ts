/**
 * The head of a cached response as one text. This file alone depends on what Node does not promise: a response whose
 * `_header` is set sends that text and makes none. Node's `writeHead` checks every name and value again, which costs a
 * tenth of a hit (decision 17); it is used where Node's inside is not as expected.
 */
import type { ServerResponse } from 'node:http'
import type { Milliseconds } from '../../model/terms.ts'
import { COMMON_HEAD, lastingHead } from '../http/response-head.ts'
import type { ResponseHead } from '../http/response-head.ts'

/** What does not change from one request to the next. */
export interface CachedHead {
  readonly withBody: HeadLines
  /** For a client that has that body. */
  readonly without: HeadLines
}

/** Names and values in turn, and the same as text. */
interface HeadLines {
  readonly list: readonly string[]
  readonly text: string
}

export function cachedHead(
  head: Omit<ResponseHead, 'news'>,
  { bytes, etag }: { readonly bytes: Buffer; readonly etag: string },
): CachedHead {
  const list = [...COMMON_HEAD, ...lastingHead(head, etag)]
  const ofBody = ['Content-Type', head.contentType, 'Content-Length', String(bytes.length)]
  return { withBody: headLines([...list, ...ofBody]), without: headLines(list) }
}

/** @param list without a line's end in it */
function headLines(list: readonly string[]): HeadLines {
  // why: a text that is still in pieces is put together again at every write
  return { list, text: Buffer.from(textOf(list), 'latin1').toString('latin1') }
}

function textOf(list: readonly string[]): string {
  let text = ''
  for (let at = 0; at < list.length; at += 2) text += `${list[at]}: ${list[at + 1]}\r\n`
  return text
}

/**
 * Sets the head of a response that is ended in the same turn, with `Content-Length` where it has a body.
 * @param ofNow names and values in turn
 */
export type WriteHead = (
  response: ServerResponse,
  status: 200 | 304,
  cached: HeadLines,
  ofNow: readonly string[],
  nowMs: Milliseconds,
) => void

/** As Node has it for every response that it may keep a connection after; undefined in a Node that has not. */
interface Inside {
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
  function dateHeader(nowMs: Milliseconds): string {
    const second = Math.floor(nowMs / 1000)
    if (second !== dateSecond) {
      dateSecond = second
      date = `Date: ${new Date(second * 1000).toUTCString()}\r\n`
    }
    return date
  }

  return (response, status, cached, ofNow, nowMs) => {
    const inside = response as unknown as Inside
    if (!isAsExpected(inside)) {
      response.writeHead(status, [...cached.list, ...ofNow])
      return
    }
    const seconds = Math.floor(inside._keepAliveTimeout / 1000)
    const ofConnection = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`
    response.statusCode = status
    inside._header =
      STATUS_LINES[status] + cached.text + textOf(ofNow) + dateHeader(nowMs) + ofConnection
  }
}

function isAsExpected(inside: Inside): boolean {
  return (
    inside._header === null &&
    inside.shouldKeepAlive &&
    inside.maxRequestsOnConnectionReached === false &&
    inside._removedConnection === false &&
    inside._keepAliveTimeout >= 1000
  )
}
