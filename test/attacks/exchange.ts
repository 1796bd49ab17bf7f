// One connection, any bytes, and what comes back: HTTP as no client library would send it.
import { connect } from 'node:net'

export interface Reply {
  /** 0 where nothing came that begins like a response. */
  readonly status: number
  /** The code of a problem body. */
  readonly code: string | undefined
  readonly text: string
}

/** Sends and reads until a response is whole or the connection ends. Never rejects. */
export function exchange(
  url: string,
  bytes: string | Buffer,
  options: { readonly withinMs?: number; readonly method?: string } = {},
): Promise<Reply> {
  const { withinMs = 10_000, method = 'GET' } = options
  const { hostname, port } = new URL(url)
  return new Promise(resolve => {
    let text = ''
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.setTimeout(withinMs, () => socket.destroy())
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      if (isWhole(text, method)) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(replyOf(text)))
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}

function isWhole(text: string, method: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = text.slice(0, end)
  if (method === 'HEAD' || head.startsWith('HTTP/1.1 304')) return true
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return text.length >= end + 4 + Number(length)
  return /\r\ntransfer-encoding: chunked/i.test(head) && text.endsWith('\r\n0\r\n\r\n')
}

function replyOf(text: string): Reply {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
  const isProblem = /\r\ncontent-type: application\/problem\+json/i.test(text)
  return { status, code: isProblem ? /"code":"(\w+)"/.exec(text)?.[1] : undefined, text }
}
