// The built gateway as a separate process on core 0, in front of the bench's standby.
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/demo/ports.ts'
import type { Bench } from './bench.ts'
import { startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export interface Gateway extends ServerProcess {
  /** Sums the samples of /metrics whose line matches the pattern; its first group is the value. */
  metric(pattern: RegExp): Promise<number>
}

/** Resolves when it is ready. @param settings that override defaults: `{ CACHE_MAX_BYTES: '64MiB' }` */
export async function startGateway(
  bench: Bench,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const opsPort = await freePort()
  const opsUrl = `http://127.0.0.1:${opsPort}`
  const { reports, keys, probe } = bench.product.urls
  const server = await startServer(bench, {
    name: 'gateway',
    command: [process.execPath, MAIN, 'serve'],
    env: {
      OPS_PORT: String(opsPort),
      DATABASE_URL: reports,
      KEYS_DATABASE_URL: keys,
      PROBE_DATABASE_URL: probe,
      ...settings,
    },
    ready: `${opsUrl}/readyz`,
  })
  return {
    ...server,
    async metric(pattern) {
      const text = await (await fetch(`${opsUrl}/metrics`)).text()
      return [...text.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0)
    },
  }
}
