// An HTTP proxy in front of a gateway: it records requests, refuses some once, and can hold or change a response.
import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'

export interface Front {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Targets of requests, in order, without the prefix; after their status, if that is not 200. */
  readonly requests: string[]
  /** Seconds between a refusal and the next request to its target. */
  readonly waits: number[]
  /** Refuses the next request that matches. */
  refuse(path: RegExp, status: 429 | 503): void
  /** Holds the response to a request that matches in the middle of its body. Resolves when it does. */
  hold(path: RegExp): Promise<void>
  /** Resets the connection of the response that is held. */
  release(): void
  /** From now on the schemas of reports have another shape. */
  reshape(): void
  /** From now on responses have no `ETag`. */
  dropEtags(): void
  close(): void
}

/** @param target `http://127.0.0.1:PORT` */
export async function startFront(target: string): Promise<Front> {
  const requests: string[] = []
  const waits: number[] = []
  const refusals: Array<{ readonly path: RegExp; readonly status: number }> = []
  const refusedAt = new Map<string, number>()
  let isOtherShape = false
  let hasEtags = true
  let held: { readonly path: RegExp; readonly reached: () => void } | undefined
  let heldSocket: Socket | undefined

  const server = createServer((incoming, outgoing) => {
    const { url = '', headers, method = 'GET' } = incoming
    const path = url.replace('/api/public/v1', '')
    const earlier = refusedAt.get(url)
    if (earlier !== undefined) waits.push((performance.now() - earlier) / 1000)
    refusedAt.delete(url)
    const refusal = refusals.findIndex(one => one.path.test(path))
    if (refusal >= 0) {
      const [{ status } = { status: 0 }] = refusals.splice(refusal, 1)
      requests.push(`${status} ${path}`)
      refusedAt.set(url, performance.now())
      outgoing.writeHead(status, {
        'Retry-After': '1',
        'Content-Type': 'application/problem+json',
      })
      outgoing.end(JSON.stringify({ code: 'overloaded', detail: 'Подождите', requestId: 'front' }))
      return
    }
    const at = requests.push(path) - 1
    const holding = held?.path.test(path) ? held : undefined
    if (holding !== undefined) held = undefined
    const isReshaped = isOtherShape && path.endsWith('/schema')
    if (isReshaped) headers['accept-encoding'] = 'identity'
    const passed = request(target + url, { method, headers }, response => {
      const { statusCode: status = 502 } = response
      if (status !== 200) requests[at] = `${status} ${path}`
      if (!hasEtags) delete response.headers.etag
      if (holding !== undefined) {
        heldSocket = incoming.socket
        outgoing.writeHead(status, response.headers)
        void buffer(response).then(body =>
          outgoing.write(body.subarray(0, body.length / 2), holding.reached),
        )
        return
      }
      if (!isReshaped) {
        outgoing.writeHead(status, response.headers)
        response.pipe(outgoing)
        return
      }
      void text(response).then(body => outgoing.end(body.replace('"shape":"', '"shape":"other')))
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    passed.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    waits,
    refuse: (path, status) => void refusals.push({ path, status }),
    hold: path => new Promise(resolve => (held = { path, reached: resolve })),
    release: () => heldSocket?.resetAndDestroy(),
    reshape: () => void (isOtherShape = true),
    dropEtags: () => void (hasEtags = false),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
