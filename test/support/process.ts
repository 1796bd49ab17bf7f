// The gateway as a process of its own, on free ports: what it says, where it listens, how it ends.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { until } from './until.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export interface GatewayProcess {
  readonly child: ChildProcess
  out: string
  err: string
  readonly exit: Promise<number | null>
}

export function startProcess(command: string, environment: NodeJS.ProcessEnv): GatewayProcess {
  const child = spawn(process.execPath, [MAIN, command], {
    env: { PORT: '0', OPS_PORT: '0', ...environment },
  })
  const exit = new Promise<number | null>(resolve => child.on('exit', resolve))
  const started: GatewayProcess = { child, out: '', err: '', exit }
  child.stdout.on('data', chunk => (started.out += chunk))
  child.stderr.on('data', chunk => (started.err += chunk))
  return started
}

export interface Addresses {
  readonly url: string
  readonly opsUrl: string
}

/** Where it listens, from its log. */
export async function listening(gateway: GatewayProcess): Promise<Addresses> {
  const urlOf = (server: string): Promise<string> =>
    until(() => {
      const lines = gateway.out.split('\n').filter(line => line.includes('"port":'))
      const line = lines.map(text => JSON.parse(text)).find(fields => fields.server === server)
      return line && `http://127.0.0.1:${line.port}`
    })
  return { url: await urlOf('api'), opsUrl: await urlOf('operations') }
}

export async function ready(gateway: GatewayProcess): Promise<Addresses> {
  const addresses = await listening(gateway)
  await until(async () => (await fetch(`${addresses.opsUrl}/readyz`)).status === 200)
  return addresses
}
