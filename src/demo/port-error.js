// Tries to open a port. Plain JavaScript, because `free-ports.js` uses it before the build.
import { createServer } from 'node:net'

/**
 * The system's code for why the port cannot be opened, such as EADDRINUSE; undefined if it can.
 * @param {string} host
 * @param {number} port
 * @returns {Promise<string | undefined>}
 */
export function portError(host, port) {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', ({ code }) => resolve(code))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
