/**
 * Status line and headers as one text. This file alone leans on what Node does not promise: a response
 * whose `_header` is set sends that text and makes none. Node's `writeHead` looks at every name and
 * value anew, at the cost of a key look-up; where its inside is not as expected, it is what is used.
 */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../terms.ts'

/**
 * Sets the head of a response that is ended in the same turn.
 * @param list names and values in turn, none with a line's end in it, and `Content-Length` where it has a body
 */
export type WriteHead = (
  response: ServerResponse,
  status: 200 | 304,
  list: readonly string[],
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

export function createWriteHead(now: Clock): WriteHead {
  let dateSecond = Number.NaN
  let date = ''

  /** @see https://www.rfc-editor.org/rfc/rfc9110#name-date */
  function dateHeader(): string {
    const second = Math.floor(now() / 1000)
    if (second !== dateSecond) {
      dateSecond = second
      date = `Date: ${new Date(second * 1000).toUTCString()}\r\n`
    }
    return date
  }

  return (response, status, list) => {
    const inside = response as unknown as Inside
    if (!isAsExpected(inside)) {
      response.writeHead(status, [...list])
      return
    }
    let head: string = STATUS_LINES[status]
    for (let at = 0; at < list.length; at += 2) head += `${list[at]}: ${list[at + 1]}\r\n`
    const seconds = Math.floor(inside._keepAliveTimeout / 1000)
    response.statusCode = status
    inside._header = `${head}${dateHeader()}Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`
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
