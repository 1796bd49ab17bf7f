// A TCP port of this machine that is free.
import { createSocket } from 'node:dgram'
import { portError } from './port-error.js'

/** Below the ephemeral ports, which outgoing connections may take at any time. */
const lowest = 20_000
const highest = 32_000

/** A free port on 127.0.0.1, which no other call on this machine returns while this process runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (!(await tryClaim(port))) continue
    const code = await portError('127.0.0.1', port)
    if (code === undefined) return port
    if (code !== 'EADDRINUSE')
      throw new Error(`Port ${port} on 127.0.0.1 cannot be opened (${code})`)
  }
}

/**
 * Holds the UDP port of the same number until the process ends.
 * why: the TCP port stays free until a server opens it, which takes seconds; another process would find it free, too
 */
function tryClaim(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  return new Promise(resolve => {
    socket.once('error', () => socket.close(() => resolve(false)))
    socket.bind({ address: '127.0.0.1', port, exclusive: true }, () => resolve(true))
  })
}
