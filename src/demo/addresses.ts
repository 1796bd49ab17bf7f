// Addresses of the demo's gateway. Checks before the start that the ports are free.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from './ports.ts'

export interface Addresses {
  /** Settings for the gateway, with a free port instead of 0. */
  settings: { PORT: string; OPS_PORT: string }
  /** URL for clients on this machine, such as http://127.0.0.1:8080. */
  apiUrl: string
  operationsUrl: string
}

/** @throws Error with each setting to change, if the gateway cannot listen. */
export async function addressesOf(environment: NodeJS.ProcessEnv): Promise<Addresses> {
  const { status, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('free-ports.js', import.meta.url))],
    { env: environment, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr.trimEnd())
  const { HOST, PORT, OPS_HOST, OPS_PORT } = environment
  const settings = {
    PORT: await portOrFree(PORT?.trim() || '8080'),
    OPS_PORT: await portOrFree(OPS_PORT?.trim() || '9464'),
  }
  return {
    settings,
    apiUrl: `http://${urlHost(HOST)}:${settings.PORT}`,
    operationsUrl: `http://${urlHost(OPS_HOST)}:${settings.OPS_PORT}`,
  }
}

async function portOrFree(port: string): Promise<string> {
  return port === '0' ? String(await freePort()) : port
}

/** The host for a URL: a wildcard address becomes the loopback address; IPv6 has brackets. */
function urlHost(host = ''): string {
  const loopbacks: Record<string, string> = {
    '': '127.0.0.1',
    '0.0.0.0': '127.0.0.1',
    '::': '::1',
  }
  const address = loopbacks[host.trim()] ?? host.trim()
  return address.includes(':') ? `[${address}]` : address
}
