// Gateway processes on fixed ports, organizations with one key each, and a load on them.
import { freePort } from '../../src/demo/ports.ts'
import { startGateway, type GatewayProcess } from '../harness/gateway.ts'
import type { Addresses } from '../harness/process.ts'
import type { Shops } from '../harness/shops.ts'
import type { Front, FrontResponse } from './haproxy.ts'

export const KEY_COUNT = 300
const FIRST_SHOP = 1001
/** Of a closed period: a cached response stays fresh. */
export const REPORT = '/api/public/v1/reports/receipts?from=2025-01-01&to=2025-12-31'

export const topologyKey = (at: number): string => `key of topology ${at % KEY_COUNT}`

/** Creates organizations with a key each. @returns a function that removes them */
export async function addOrganizations(shops: Shops): Promise<() => Promise<void>> {
  const ids = `generate_series(${FIRST_SHOP}, ${FIRST_SHOP + KEY_COUNT - 1}) as id`
  await shops.change(`insert into shops select id, 'pro', 'Europe/Moscow' from ${ids};
    insert into shop_keys
    select sha256(convert_to('key of topology ' || id - ${FIRST_SHOP}, 'UTF8')), id from ${ids}`)
  return () =>
    shops.change(`delete from shop_keys where shop_id >= ${FIRST_SHOP};
      delete from shops where id >= ${FIRST_SHOP}`)
}

export interface GatewayNode extends Addresses {
  /** On the same ports as before. Resolves when it is ready. */
  start(): Promise<void>
  /** Sends the signal. @returns the exit code */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

export async function createNode(): Promise<GatewayNode> {
  const [port, opsPort] = [await freePort(), await freePort()]
  const settings = {
    PORT: String(port),
    OPS_PORT: String(opsPort),
    REPORT_POOL_SIZE: '2',
    TRUST_PROXY: '127.0.0.1',
  }
  let current: GatewayProcess | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    async start() {
      current = await startGateway(settings, { as: 'process' })
    },
    async end(signal) {
      current?.child.kill(signal)
      return (await current?.exit) ?? null
    },
  }
}

const askReport = (front: Front, at: number): Promise<FrontResponse> =>
  front.ask(REPORT, { 'X-Api-Key': topologyKey(at) })

/** Requests the report of each organization. @returns the number of cache hits */
export async function hitCount(front: Front): Promise<number> {
  const responses: FrontResponse[] = []
  for (let at = 0; at < KEY_COUNT; at += 10)
    responses.push(
      ...(await Promise.all(Array.from({ length: 10 }, (_, more) => askReport(front, at + more)))),
    )
  const failed = responses.find(({ status }) => status !== 200)
  if (failed) throw new Error(`a response has the status ${failed.status}: ${failed.text}`)
  return responses.filter(({ headers }) => /; hit/.test(String(headers['cache-status']))).length
}

/** Six clients that request reports without a pause. @returns a function that ends the load */
export function startLoad(front: Front): () => Promise<{ count: number; failed: FrontResponse[] }> {
  const ending = new AbortController()
  let count = 0
  const failed: FrontResponse[] = []
  const work = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const response = await askReport(front, (count += 1))
      if (response.status !== 200) failed.push(response)
    }
  }
  const ended = Promise.all(Array.from({ length: 6 }, work))
  return async () => {
    ending.abort()
    await ended
    return { count, failed }
  }
}
