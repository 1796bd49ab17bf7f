/** A proxy that shows a test each chunk that goes by way of it. */
import { connect, createServer } from 'node:net'
import type { AddressInfo, ListenOptions, Socket } from 'node:net'

/** @returns what is passed on; undefined is nothing */
export type PassOn = (bytes: Buffer, connection: number) => Buffer | undefined

export interface Wire {
  /** The target's URL by way of the proxy. */
  readonly url: string
  close(): void
}

/** @param options.socketFolder where it listens as PostgreSQL does, instead of on a port */
export async function startWire(
  target: string,
  options: { toServer?: PassOn; toClient?: PassOn; socketFolder?: string },
): Promise<Wire> {
  const { toServer = bytes => bytes, toClient = bytes => bytes, socketFolder } = options
  const url = new URL(target)
  const sockets: Socket[] = []
  let connections = 0
  const server = createServer(client => {
    const connection = connections
    connections += 1
    const upstream = connect(Number(new URL(target).port), new URL(target).hostname)
    const carry = (from: Socket, to: Socket, passOn: PassOn): void => {
      sockets.push(from.on('error', () => to.destroy()).on('close', () => to.end()))
      from.on('data', bytes => {
        const passed = passOn(bytes, connection)
        if (passed) to.write(passed)
      })
    }
    carry(client, upstream, toServer)
    carry(upstream, client, toClient)
  })
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  const listen = (at: ListenOptions) => new Promise<void>(resolve => server.listen(at, resolve))
  if (socketFolder !== undefined) {
    await listen({ path: `${socketFolder}/.s.PGSQL.5432` })
    const { username, password, pathname } = url
    const host = encodeURIComponent(socketFolder)
    return { url: `postgres://${username}:${password}@${host}:5432${pathname}`, close }
  }
  await listen({ port: 0, host: '127.0.0.1' })
  url.port = String((server.address() as AddressInfo).port)
  return { url: Object.assign(url, { hostname: 'localhost' }).href, close }
}
