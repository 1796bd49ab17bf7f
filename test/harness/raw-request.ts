// One request with exactly the given headers, over keep-alive connections; its response as bytes.
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export interface RawAsk {
  (
    target: string,
    headers: Readonly<Record<string, string | string[]>>,
    method?: string,
  ): Promise<RawAnswer>
  close(): void
}

/** @param url `http://127.0.0.1:PORT` */
export function rawAsker(url: string): RawAsk {
  const agent = new Agent({ keepAlive: true })
  const { hostname: host, port } = new URL(url)
  const ask = (target: string, headers: Record<string, string | string[]>, method = 'GET') =>
    new Promise<RawAnswer>((resolve, reject) => {
      const asked = request({ agent, host, port, path: target, method, headers }, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        )
      })
      asked.on('error', reject)
      asked.end()
    })
  return Object.assign(ask, { close: () => agent.destroy() })
}
