// Conflicts one after the other, and where a report goes when there is another replica.
import { quantile } from '../support/quantile.ts'
import { eventually } from '../../src/demo/processes.ts'
import { sumOf } from '../harness/exposition.ts'
import { running } from '../harness/invariants.ts'
import { holdLatch } from '../harness/latch.ts'
import { cold, count } from '../harness/load.ts'
import { replayLag } from './replay-lag.ts'
import type { ReplayLag } from './replay-lag.ts'
import type { Scenario } from '../harness/scenario.ts'

/** What no run that began before it can stand, once it is replayed. */
export const CHURN = ["update ledger set note = repeat('y', 50)", 'vacuum (freeze) ledger']

function p95Of(rounds: readonly ReplayLag[]): number {
  return quantile(
    rounds.flatMap(({ lags }) => lags),
    0.95,
  )
}

export const conflictStorm: Scenario = {
  fault: 'F01',
  name: 'conflict-storm',
  hypothesis:
    'Vacuums all the time: no 500, one extra run at most, and replay is held back no longer than without retries',
  async run(world) {
    const plain: ReplayLag[] = []
    const served: ReplayLag[] = []
    for (let round = 0; round < 2; round += 1) {
      plain.push(await replayLag(world, 'plain clients', 6))
      served.push(await replayLag(world, 'gateway', 6))
    }
    const without = p95Of(plain)
    const withGateway = p95Of(served)
    const answers = served.flatMap(round => round.answers)
    const total = (of: (round: ReplayLag) => number): number =>
      served.reduce((sum, round) => sum + of(round), 0)
    return [
      { name: 'conflicts', value: total(({ conflicts }) => conflicts), atLeast: 5 },
      { name: 'answers of 500', value: count(answers, ({ status }) => status === 500), exactly: 0 },
      {
        name: 'runs for an answer',
        value: total(({ runs }) => runs) / answers.length,
        unit: 'x',
        atMost: 2,
      },
      { name: 'p95 of replay lag, no retries', value: without, unit: 's' },
      {
        name: 'over that, through the gateway',
        value: withGateway / without,
        unit: 'x',
        atMost: 1.5,
      },
    ]
  },
}

export const conflictElsewhere: Scenario = {
  fault: 'F01',
  name: 'conflict-with-another-replica',
  hypothesis:
    'Where there is another replica, a cancelled report is run there, and is answered while the first catches up',
  async run(world) {
    const { servers } = world
    const second = await servers.two()
    const gateway = await world.gateway({ replicas: [servers.one.port, second.port] })
    const latches = [await holdLatch(world, servers.one), await holdLatch(world, second)]
    const asked = gateway.ask({ report: 'latched', cold: cold() })
    const runs = async (): Promise<number[]> => [await running(servers.one), await running(second)]
    await eventually(async () => (await runs()).includes(1), 5000)
    const at = (await runs()).indexOf(1)
    await latches[1 - at]?.release()
    for (const sql of CHURN) await servers.change(sql)
    const answer = await asked
    const total = sumOf(await gateway.metrics(), 'svodka_runs_total', { definition: 'latched' })
    return [
      { name: 'answer', value: answer.status, exactly: 200 },
      { name: 'runs', value: total, exactly: 2 },
      { name: 'after', value: answer.ms, unit: 'ms', atMost: 3000 },
    ]
  },
}
