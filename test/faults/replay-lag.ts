// How long reports hold replay back while the primary vacuums all the time: with plain clients, and with the gateway.
import { Client } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { sampleLag, startBeats } from './beats.ts'
import { sumOf } from '../harness/exposition.ts'
import { cold } from '../harness/load.ts'
import type { Recorded } from '../harness/recorder.ts'
import type { World } from '../harness/world.ts'

export interface ReplayLag {
  /** In seconds, sampled all the while. */
  readonly lags: readonly number[]
  readonly conflicts: number
  readonly runs: number
  readonly answers: readonly Recorded[]
}

const PER_SECOND = 2
/** What the report `paced` asks: a sleep a row, two seconds in all. */
const PACED = 'select id, pg_sleep(0.04) from ledger where organization_id = 1 order by id'

/** @param asker who asks twice a second, for so many seconds. Plain clients never ask again. */
export async function replayLag(
  world: World,
  asker: 'plain clients' | 'gateway',
  seconds: number,
): Promise<ReplayLag> {
  const { one } = world.servers
  const conflicts = async (): Promise<number> =>
    Number(
      await one.ask('select conflicts from pg_stat_database where datname = current_database()'),
    )
  const gateway = await world.gateway()
  const beats = await startBeats(world)
  const before = await conflicts()
  const until = performance.now() + seconds * 1000
  const isOver = (): boolean => performance.now() > until
  const lags: number[] = []
  const watching = async (): Promise<void> => {
    for (; !isOver(); await sleep(50)) lags.push((await sampleLag(gateway, one)).trueSeconds)
  }
  const vacuuming = async (): Promise<void> => {
    for (; !isOver(); await sleep(400)) {
      await world.servers.change("update ledger set note = repeat('y', 50)")
      await world.servers.change('vacuum (freeze) ledger')
    }
  }
  const asked: Promise<Recorded | void>[] = []
  const asking = async (): Promise<void> => {
    for (; !isOver(); await sleep(1000 / PER_SECOND)) {
      if (asker === 'gateway') asked.push(gateway.ask({ report: 'paced', cold: cold() }))
      else asked.push(plainRun(world.servers.url('svodka_reports', one.port)))
    }
  }
  await Promise.all([watching(), vacuuming(), asking()])
  const answers = (await Promise.all(asked)).filter(answer => answer !== undefined)
  await beats.stop()
  await world.servers.caughtUp()
  return {
    lags,
    conflicts: (await conflicts()) - before,
    runs: sumOf(await gateway.metrics(), 'svodka_runs_total', { definition: 'paced' }),
    answers,
  }
}

async function plainRun(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(PACED).catch(() => undefined)
  await client.end().catch(() => undefined)
}
