// Reports that are executed for each request, against the plain program: a few rows, 100 and 10,000.
import type { Bench, Row, Target } from './bench.ts'
import { startPlainProgram } from './baselines.ts'
import { checkSame, rowsOfEach, withGateways, type NamedGateway } from './contenders.ts'
import { metricOf } from '../harness/exposition.ts'
import { againstPgbench } from './pgbench.ts'
import { firstDayOf } from './product.ts'
import { coldRequests, FIRST_DAY, type LoadRequest } from './requests.ts'
import { interleaved } from './rounds.ts'
import { ratioRow } from './rows.ts'
import type { ServerProcess } from './server-process.ts'
import { loadOf, type Round } from './wrk.ts'

const CONNECTIONS = 8
const GZIP = { 'Accept-Encoding': 'gzip' }
const PLAIN = 'plain program'

interface Cold {
  readonly name: string
  readonly requests: readonly LoadRequest[]
  /** Of a round. */
  readonly seconds: number
  readonly warmUpCount: number
  readonly cpu: Target
  readonly throughput?: Target
}

export async function coldFew(bench: Bench): Promise<Row[]> {
  const year = FIRST_DAY.slice(0, 4)
  const cold: Cold = {
    name: 'cold report of a few rows',
    requests: bench.product.ordinary.flatMap(organization =>
      coldRequests('income_by_category', organization, `${Number(year) - 1}-01-01`),
    ),
    seconds: 2,
    warmUpCount: 8000,
    cpu: { atMost: 1.35 },
    throughput: { atLeast: 0.85 },
  }
  return withGateways(bench, gateways => againstPlain(bench, gateways, cold))
}

export async function coldSmall(bench: Bench): Promise<Row[]> {
  const requests: LoadRequest[] = []
  for (const organization of bench.product.ordinary) {
    const from = await firstDayOf(bench.product, organization, 100)
    requests.push(...coldRequests('operations', organization, from))
  }
  const cold: Cold = {
    name: 'cold report of 100 rows',
    requests,
    seconds: 3,
    warmUpCount: 8000,
    cpu: { atMost: 0.8 },
  }
  return withGateways(bench, gateways => againstPlain(bench, gateways, cold))
}

export async function coldLarge(bench: Bench): Promise<Row[]> {
  const { product } = bench
  const from = await firstDayOf(product, product.large, 10_000)
  const name = 'cold report of 10,000 rows'
  const requests = coldRequests('operations', product.large, from)
  const cold = { name, requests, seconds: 10, warmUpCount: 200, cpu: { atMost: 0.4 } }
  return withGateways(bench, async gateways => [
    ...(await againstPlain(bench, gateways, cold)),
    ...(await againstPgbench(bench, gateways, { name, requests, from, seconds: 4, count: 16 })),
  ])
}

/** CPU and throughput against the plain program, with and without compression. */
async function againstPlain(
  bench: Bench,
  gateways: readonly NamedGateway[],
  cold: Cold,
): Promise<Row[]> {
  const { name, requests, seconds, warmUpCount, cpu, throughput } = cold
  bench.progress(`${name}: warming up`)
  const plain = await startPlainProgram(bench)
  await checkSame([plain, ...gateways.map(({ gateway }) => gateway)], requests[0]!)
  const load = (server: ServerProcess, headers = {}) =>
    loadOf(bench, server, requests, {
      seconds,
      connections: CONNECTIONS,
      warmUpCount: warmUpCount / 2,
      headers,
    })
  const contenders: Record<string, () => Promise<Round>> = {}
  for (const { name, server } of [
    { name: PLAIN, server: plain },
    ...gateways.map(({ name, gateway }) => ({ name, server: gateway })),
  ]) {
    contenders[name] = await load(server)
    contenders[`${name}, gzip`] = await load(server, GZIP)
  }
  const rounds = await interleaved(bench, name, contenders)
  for (const { gateway } of gateways) {
    const hitCount = await metricOf(gateway, 'svodka_cache_requests_total', { result: 'hit' })
    if (hitCount !== 0) throw new Error(`${hitCount} cold requests were hits`)
  }
  await plain.stop()
  const cpuOf = ({ cpuUsPerRequest }: Round): number => cpuUsPerRequest
  const perSecond = ({ requestsPerSecond }: Round): number => requestsPerSecond
  return rowsOfEach(gateways, ({ name: ours }) => [
    ratioRow(rounds, { name: `${name}: CPU`, ours, baseline: PLAIN, of: cpuOf, target: cpu }),
    ratioRow(rounds, {
      name: `${name}: requests a second`,
      ours,
      baseline: PLAIN,
      of: perSecond,
      target: throughput,
    }),
    ratioRow(rounds, {
      name: `${name}, gzip: CPU`,
      ours: `${ours}, gzip`,
      baseline: `${PLAIN}, gzip`,
      of: cpuOf,
      target: { atMost: 1 },
    }),
    ratioRow(rounds, {
      name: `${name}, gzip: requests a second`,
      ours: `${ours}, gzip`,
      baseline: `${PLAIN}, gzip`,
      of: perSecond,
    }),
  ])
}
