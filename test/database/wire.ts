/** A proxy that passes each chunk through a function of the test. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** @returns the chunk to forward; undefined drops it */
export type PassOn = (bytes: Buffer, connection: number) => Buffer | undefined

export interface Wire {
  /** URL of the target through the proxy. */
  readonly url: string
  close(): void
}

export async function startWire(
  target: string,
  { toServer, toClient }: { readonly toServer?: PassOn; readonly toClient?: PassOn },
): Promise<Wire> {
  const { hostname, port } = new URL(target)
  const sockets: Socket[] = []
  let connections = 0
  const server = createServer(client => {
    const connection = connections
    connections += 1
    const upstream = connect(Number(port), hostname)
    const carry = (from: Socket, to: Socket, passOn: PassOn = bytes => bytes): void => {
      sockets.push(from.on('error', () => to.destroy()).on('close', () => to.end()))
      from.on('data', bytes => {
        const passed = passOn(bytes, connection)
        if (passed) to.write(passed)
      })
    }
    carry(client, upstream, toServer)
    carry(upstream, client, toClient)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const own = String((server.address() as AddressInfo).port)
  return {
    url: Object.assign(new URL(target), { hostname: 'localhost', port: own }).href,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
