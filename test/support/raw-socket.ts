// One connection, and the bytes that come back: for requests that no HTTP client would send.
import { connect } from 'node:net'

/** @param text as latin1, one byte a character. @returns all that comes until the other side closes */
export function sendRaw(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
    let response = ''
    socket
      .on('data', chunk => (response += chunk.toString('latin1')))
      .on('close', () => resolve(response))
      .on('error', (error: NodeJS.ErrnoException) => {
        // why: what was refused unread may be answered by a reset after the response
        if (response === '') reject(error)
      })
  })
}
