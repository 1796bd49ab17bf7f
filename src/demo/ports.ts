// A TCP port of this machine that is free.
import { createServer } from 'node:net'

/** Below the ephemeral ports, which outgoing connections may take at any time. */
const lowest = 20_000
const highest = 32_000

/** A free port on 127.0.0.1. Another process may take it before it is used: callers must retry. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () =>
      server.close(() => resolve(true)),
    )
  })
}
