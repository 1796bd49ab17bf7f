// A TCP port of this machine that is free.
import { portError } from './port-error.js'

/** Below the ephemeral ports, which outgoing connections may take at any time. */
const lowest = 20_000
const highest = 32_000

/** A free port on 127.0.0.1. Another process may take it before it is used: callers must retry. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    const code = await portError('127.0.0.1', port)
    if (code === undefined) return port
    if (code !== 'EADDRINUSE')
      throw new Error(`Port ${port} on 127.0.0.1 cannot be opened (${code})`)
  }
}
