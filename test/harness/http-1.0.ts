// An HTTP/1.0 request, as nginx sends by default: the response has no chunks and ends when the connection closes.
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Answer10 {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** @param url `http://127.0.0.1:PORT/path` */
export async function ask10(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer10> {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${pathname}${search} HTTP/1.0\r\n${lines.join('')}\r\n`)
  const answer = await buffer(socket)
  const end = answer.indexOf('\r\n\r\n')
  const [statusLine = '', ...fields] = answer.toString('latin1', 0, end).split('\r\n')
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(
      fields.map(line => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ),
    body: answer.subarray(end + 4),
  }
}
