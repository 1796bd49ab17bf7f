// A report larger than a cached one: time against pgbench, CPU against the plain program, event loop of the gateway.
import type { Bench, Row } from './bench.ts'
import { startPlainProgram } from './baselines.ts'
import { checkSame, rowsOfEach, withGateways, type NamedGateway } from './contenders.ts'
import { metricOf } from '../harness/exposition.ts'
import { againstPgbench } from './pgbench.ts'
import { firstDayOf } from './product.ts'
import { coldRequests, type LoadRequest } from './requests.ts'
import { interleaved } from './rounds.ts'
import { plainRow, ratioRow } from './rows.ts'
import type { ServerProcess } from './server-process.ts'
import { loadOf } from './wrk.ts'

const PLAIN = 'plain program'
const SECONDS = 16
const ONE_BY_ONE = { seconds: SECONDS, connections: 1 }
/** Of Node, since the last look at the metrics. */
const DELAY = 'nodejs_eventloop_lag_p99_seconds'

export async function whole(bench: Bench): Promise<Row[]> {
  const { product } = bench
  const from = await firstDayOf(product, product.large, 200_000)
  const requests = coldRequests('operations', product.large, from)
  const name = 'report of 200,000 rows'
  return withGateways(bench, async gateways => [
    ...(await cpuAgainstPlain(bench, gateways, name, requests)),
    ...(await againstPgbench(bench, gateways, {
      name,
      requests,
      from,
      seconds: SECONDS,
      count: 4,
    })),
    ...(await eventLoopDelays(bench, gateways, name, requests)),
  ])
}

async function cpuAgainstPlain(
  bench: Bench,
  gateways: readonly NamedGateway[],
  name: string,
  requests: readonly LoadRequest[],
): Promise<Row[]> {
  bench.progress(`${name}: warming up`)
  const plain = await startPlainProgram(bench)
  await checkSame([plain, ...gateways.map(({ gateway }) => gateway)], requests[0]!)
  const cpuOf = async (server: ServerProcess) => {
    const load = await loadOf(bench, server, requests, { ...ONE_BY_ONE, warmUpCount: 4 })
    return async () => {
      const { p50Ms, cpuShare } = await load()
      // why: not CPU time divided by responses, because the last of few requests is aborted
      return { cpuMs: p50Ms * cpuShare }
    }
  }
  const contenders: Record<string, () => Promise<{ readonly cpuMs: number }>> = {}
  contenders[PLAIN] = await cpuOf(plain)
  for (const { name, gateway } of gateways) contenders[name] = await cpuOf(gateway)
  const rounds = await interleaved(bench, name, contenders)
  await plain.stop()
  return rowsOfEach(gateways, ({ name: ours }) => [
    ratioRow(rounds, {
      name: `${name}: CPU`,
      ours,
      baseline: PLAIN,
      of: ({ cpuMs }) => cpuMs,
      target: { atMost: 0.4 },
    }),
  ])
}

async function eventLoopDelays(
  bench: Bench,
  gateways: readonly NamedGateway[],
  name: string,
  requests: readonly LoadRequest[],
): Promise<Row[]> {
  const rows: Row[] = []
  for (const { gateway, prefix } of gateways) {
    const load = await loadOf(bench, gateway, requests, ONE_BY_ONE)
    await metricOf(gateway, DELAY)
    await load()
    rows.push(
      plainRow(bench, {
        name: `${prefix}${name}: event loop delay, p99`,
        value: 1000 * (await metricOf(gateway, DELAY)),
        unit: 'ms',
        target: { atMost: 50 },
      }),
    )
  }
  return rows
}
