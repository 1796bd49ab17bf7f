// Where the demo's gateway will listen: known, and known to be free, before anything is started.
import { freePort, isFree } from './ports.ts'

export interface Addresses {
  /** For the gateway: as set, with a free port in place of 0. */
  settings: { PORT: string; OPS_PORT: string }
  /** How a client on this machine reaches it, as in http://127.0.0.1:8080. */
  apiUrl: string
  operationsUrl: string
}

/** @throws Error with the setting to change, if the gateway will not be able to listen. */
export async function addressesOf(environment: NodeJS.ProcessEnv): Promise<Addresses> {
  const { HOST, PORT, OPS_HOST, OPS_PORT } = environment
  const api = await listenerOn('PORT', HOST || '127.0.0.1', PORT || '8080')
  const operations = await listenerOn('OPS_PORT', OPS_HOST || '127.0.0.1', OPS_PORT || '9464')
  return {
    settings: { PORT: String(api.port), OPS_PORT: String(operations.port) },
    apiUrl: api.url,
    operationsUrl: operations.url,
  }
}

async function listenerOn(setting: string, host: string, wanted: string) {
  const port = wanted === '0' ? await freePort() : Number(wanted)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`${setting} is "${wanted}": a port from 0 to 65535 was expected.`)
  }
  if (!(await isFree(host, port))) {
    const example = `${setting}=${await nextFree(host, port)}`
    throw new Error(
      `Port ${port} on ${host} is taken: set ${setting} to another one, for example ${example}`,
    )
  }
  return { port, url: `http://${reachable(host)}:${port}` }
}

async function nextFree(host: string, taken: number): Promise<number> {
  for (let port = taken + 1; port <= 65_535; port++) {
    if (await isFree(host, port)) return port
  }
  return freePort()
}

/** A server on all addresses is reached on the loopback's; IPv6 wants brackets in a URL. */
function reachable(host: string): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return address.includes(':') ? `[${address}]` : address
}
