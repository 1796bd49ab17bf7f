// A storm: 20 reports of 200 organizations at once, none of them cached.
import type { Bench } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import { ratioRow } from '../ratio-row.ts'
import { interleaved, roundsOf } from '../rounds.ts'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'
import { portOf, startAsker } from './ask.ts'
import { fasterFloor, nameOfFloor } from './contenders.ts'
import { PLANS, runFloor } from './floor.ts'
import type { Plans } from './floor.ts'
import { FIRST_TURN, inOrder, organizationCount, picksScript, stormScript } from './storm-script.ts'
import type { Storm } from './storm-script.ts'
import { shippedCatalog, subjectOf } from './subject.ts'

/** Of clients: as many requests are in the gateway at a time. */
const CONNECTIONS = 256
/** REPORT_POOL_SIZE. */
const POOL_SIZE = 8

const QUEUE_TIMEOUT_SECONDS = 30

interface Measured {
  readonly seconds: number
  /** Of pgbench: what it took to pick the organizations alone, already taken off. */
  readonly pickSeconds: number
}

/** Registers, which the other rows are about, and reports that are halves or twins of others: 20 are left. */
const LEFT_OUT = new Set([
  'operations',
  'deals',
  'debts',
  'deals_lost',
  'income_by_category',
  'stock_below_minimum',
])

export async function stormRow(bench: Bench): Promise<Row> {
  const storm = stormOf(bench)
  const gateway = await startGateway(bench, {
    REPORT_POOL_SIZE: String(POOL_SIZE),
    QUEUE_TIMEOUT: `${QUEUE_TIMEOUT_SECONDS}s`,
  })
  const asker = startAsker(bench)
  const port = portOf(gateway)
  const all = inOrder(storm).map(({ target, key }) => ({ port, target, key }))
  const cpuMs: number[] = []
  const measured = await interleaved<Measured>(
    [
      ...PLANS.map(plans => ({
        name: nameOfFloor(plans),
        measure: () => floorOf(bench, storm, plans),
      })),
      {
        name: 'gateway',
        async measure() {
          const before = gateway.cpuMs()
          const told = await asker.storm(all, CONNECTIONS)
          cpuMs.push((gateway.cpuMs() - before) / all.length)
          return { seconds: told.seconds, pickSeconds: 0 }
        },
      },
    ],
    {
      rounds: 3,
      signal: bench.signal,
      progress: words => bench.progress(`storm: ${words}`),
    },
  )
  await gateway.stop()
  const runsPerSecond = (seconds: number): number => all.length / seconds
  const gatewayRounds = roundsOf(measured, 'gateway').map(({ seconds }) => runsPerSecond(seconds))
  const floor = fasterFloor(measured, ({ seconds }) => seconds * 1000)
  const picksMs = PLANS.flatMap(plans =>
    roundsOf(measured, nameOfFloor(plans)).map(({ pickSeconds }) => pickSeconds * 1000),
  )
  return ratioRow({
    name: `storm of ${organizationCount(storm)} organizations and ${storm.length} reports, cold, ${CONNECTIONS} requests at once, against pgbench`,
    rounds: gatewayRounds,
    baseline: { name: 'pgbench', rounds: floor.rounds.map(ms => runsPerSecond(ms / 1000)) },
    target: { atLeast: 0.85 },
    figures: {
      'gateway, runs/s': median(gatewayRounds),
      'gateway, CPU ms a run': median(cpuMs),
      'pgbench, runs/s': runsPerSecond(median(floor.rounds) / 1000),
      ...floor.figures,
      'pgbench, picks that are taken off, ms': median(picksMs),
    },
    note: `both on ${POOL_SIZE} connections to PostgreSQL; QUEUE_TIMEOUT is ${QUEUE_TIMEOUT_SECONDS} s; pgbench takes a statement to pick each organization, and as many of them alone are taken off its time`,
  })
}

/** The storm less its picks, one right after the other. */
async function floorOf(bench: Bench, storm: Storm, plans: Plans): Promise<Measured> {
  const secondsOf = async (script: string): Promise<number> => {
    const { seconds } = await runFloor(bench, {
      url: bench.product.urls.reports,
      script,
      variables: FIRST_TURN,
      plans,
      connections: POOL_SIZE,
      transactionCount: organizationCount(storm),
    })
    return seconds
  }
  const whole = await secondsOf(stormScript(storm, POOL_SIZE))
  const pickSeconds = await secondsOf(picksScript(storm, POOL_SIZE))
  return { seconds: whole - pickSeconds, pickSeconds }
}

function stormOf({ product }: Bench): Storm {
  const codes = [...shippedCatalog().reports.keys()].filter(code => !LEFT_OUT.has(code))
  const organizations = [...product.ordinary, ...Object.values(product.named)]
  return codes.map(code => organizations.map(organization => subjectOf(organization, code)))
}
