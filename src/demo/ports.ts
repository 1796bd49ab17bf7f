// TCP ports of this machine: one that is free, and whether a given one is.
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections, so that none of these takes it meanwhile. */
const lowest = 20_000
const highest = 32_000

/** A free port on 127.0.0.1. Someone may take it before its user does: be ready to ask again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree('127.0.0.1', port)) return port
  }
}

/** @throws Error if the host is not an address of this machine. */
export async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
