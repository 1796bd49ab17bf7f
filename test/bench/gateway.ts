// The gateway as it is shipped: built, a process of its own on core 0, in front of the bench's standby.
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/demo/ports.ts'
import type { Bench } from './bench.ts'
import { startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export const PREFIX = '/api/public/v1'

export interface Gateway extends ServerProcess {
  /** `http://127.0.0.1:PORT`, without the prefix. */
  readonly url: string
  readonly opsUrl: string
  /** A gauge or counter without labels, from its /metrics. */
  metric(name: string): Promise<number>
}

/** @param settings over `serve`'s own defaults: `{ CACHE_MAX_BYTES: '64MiB' }`. Ready when it resolves. */
export async function startGateway(
  bench: Bench,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const port = await freePort()
  const opsPort = await freePort()
  const { reports, keys, probe } = bench.product.urls
  const opsUrl = `http://127.0.0.1:${opsPort}`
  const server = await startServer(bench, {
    name: 'gateway',
    command: [process.execPath, MAIN, 'serve'],
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      OPS_PORT: String(opsPort),
      DATABASE_URL: reports,
      KEYS_DATABASE_URL: keys,
      PROBE_DATABASE_URL: probe,
      ...settings,
    },
    readyUrl: `${opsUrl}/readyz`,
  })
  return {
    ...server,
    url: `http://127.0.0.1:${port}`,
    opsUrl,
    async metric(name) {
      const text = await (await fetch(`${opsUrl}/metrics`)).text()
      const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
      if (value === undefined) throw new Error(`/metrics has no ${name}`)
      return Number(value)
    },
  }
}
