// Built gateways as separate processes on core 0, in front of the bench's standby.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/demo/ports.ts'
import { POOL_SIZE, type Bench } from './bench.ts'
import { startServer, type ServerProcess } from './server-process.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export interface GatewayCommand {
  /** Begins the names of its rows, unless it is empty. */
  readonly name: string
  /** Arguments of node: flags and the path of `main.js`. */
  readonly args: readonly string[]
}

/**
 * This checkout's gateway and others.
 * @param others separated by commas: `/path/dist/src/main.js`, or `--max-semi-space-size=32 dist/src/main.js`
 */
export function gatewaysOf(others = ''): GatewayCommand[] {
  const named = others
    .split(',')
    .map(text => text.trim())
    .filter(text => text !== '')
  const commands = named.map(name => {
    const args = name.split(/ +/)
    return { name, args: [...args.slice(0, -1), resolve(args.at(-1) ?? '')] }
  })
  return [{ name: '', args: [MAIN] }, ...commands]
}

export interface Gateway extends ServerProcess {
  readonly opsUrl: string
}

/** Resolves when it is ready. */
export async function startGateway(
  bench: Bench,
  { args }: GatewayCommand,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const opsPort = await freePort()
  const opsUrl = `http://127.0.0.1:${opsPort}`
  const { reports, keys, probe } = bench.product.urls
  const server = await startServer(bench, {
    name: 'gateway',
    command: [process.execPath, ...args, 'serve'],
    env: {
      OPS_PORT: String(opsPort),
      ALLOW_TMPFS: 'true',
      REPORT_POOL_SIZE: POOL_SIZE,
      DATABASE_URL: reports,
      KEYS_DATABASE_URL: keys,
      PROBE_DATABASE_URL: probe,
      ...settings,
    },
    ready: `${opsUrl}/readyz`,
  })
  return { ...server, opsUrl }
}
