// How old the data of a standby truly are: the primary writes the time, and the standby is asked what it shows.
import { Client } from 'pg'
import { eventually } from '../../src/demo/processes.ts'
import { ofReplica } from '../harness/exposition.ts'
import { atMost } from '../harness/figures.ts'
import type { Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Node } from '../harness/servers.ts'
import type { Stage } from '../harness/stage.ts'

const EVERY_MS = 100

/** Writes on the primary until it is stopped, the scenario's faults are undone, or the primary is away. */
export async function startBeats(stage: Stage): Promise<() => Promise<void>> {
  const { primary, url } = stage.servers
  const client = new Client({ connectionString: url('postgres', primary.port) })
  client.on('error', () => undefined)
  await client.connect()
  let writing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    writing = client.query('update beats set at = clock_timestamp()').catch(() => undefined)
  }, EVERY_MS)
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    await writing
    await client.end().catch(() => undefined)
  }
  stage.undo(stop)
  return stop
}

export interface LagSample {
  readonly trueSeconds: number
  /** By the gateway's metric. NaN where it says nothing. */
  readonly saidSeconds: number
}

/** Of a standby whose primary writes all the time. */
export async function sampleLag(gateway: Gateway, node: Node): Promise<LagSample> {
  const shown = await node.ask('select extract(epoch from clock_timestamp() - at) from beats')
  return { trueSeconds: Number(shown), saidSeconds: await saidLag(gateway, node) }
}

export async function saidLag(gateway: Gateway, { port }: Node): Promise<number> {
  return ofReplica(await gateway.metrics(), 'svodka_replica_lag_seconds', `127.0.0.1:${port}`)
}

/** Samples for so long. */
export async function watchLag(
  seconds: number,
  sample: () => Promise<LagSample>,
): Promise<LagSample[]> {
  const samples: LagSample[] = []
  const isOver = async (): Promise<boolean> => {
    samples.push(await sample())
    return false
  }
  await eventually(isOver, seconds * 1000, 100)
  return samples
}

/** Of the worst sample each way; one that says nothing reaches neither. */
export function honest(samples: readonly LagSample[], olderByAtMost = 2): Figure[] {
  const errors = samples.map(({ trueSeconds, saidSeconds }) => saidSeconds - trueSeconds)
  return [
    atMost('said to be newer by', Math.max(0, ...errors.map(error => -error)), 2, 's'),
    atMost('said to be older by', Math.max(0, ...errors), olderByAtMost, 's'),
  ]
}
