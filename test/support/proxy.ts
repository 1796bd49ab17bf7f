// A TCP proxy in front of a database, until it is cut.
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface Proxy {
  /** The target's URL by way of the proxy. */
  readonly url: string
  /** Closes every connection and takes no more, until it is mended. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Carries nothing any more, either way, and closes nothing: a network that drops packets. */
  drop(): void
  /** Carries on what connections are left, and new ones. */
  carry(): void
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let drops = false
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    }
    pass(client, upstream)
    pass(upstream, client)
  })
  const pass = (from: Socket, to: Socket): void => {
    from.on('data', bytes => void (drops || to.write(bytes)))
    from.on('end', () => void (drops || to.end()))
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const own = (server.address() as AddressInfo).port
  return {
    url: Object.assign(new URL(target), { port: String(own) }).href,
    cut: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    drop: () => void (drops = true),
    carry: () => void (drops = false),
    mend: () => new Promise(resolve => server.listen(own, '127.0.0.1', resolve)),
  }
}
