// The true lag of a standby: the primary writes the time, and the test reads it on the standby.
import { Client } from 'pg'
import { eventually } from '../../src/demo/processes.ts'
import { ofReplica } from '../harness/exposition.ts'
import { atMost, type Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/scenario-gateway.ts'
import type { Node } from '../harness/servers.ts'
import type { Stage } from '../harness/stage.ts'

const EVERY_MS = 100

/** Writes on the primary until stopped, the scenario's faults are undone, or the primary is unavailable. */
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
  /** Lag by the gateway's metric; NaN if it is unknown. */
  readonly saidSeconds: number
}

/** Samples of a standby whose primary writes continuously. */
export async function sampleLag(gateway: Gateway, node: Node): Promise<LagSample> {
  const shown = await node.ask('select extract(epoch from clock_timestamp() - at) from beats')
  return { trueSeconds: Number(shown), saidSeconds: await saidLag(gateway, node) }
}

export async function saidLag(gateway: Gateway, { port }: Node): Promise<number> {
  return ofReplica(await gateway.metrics(), 'svodka_replica_lag_seconds', `127.0.0.1:${port}`)
}

/** Takes samples for that time, 100 ms apart. */
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

/** Figures of the worst sample in each direction; an unknown lag reaches no target. */
export function honest(samples: readonly LagSample[], olderByAtMost = 2): Figure[] {
  const errors = samples.map(({ trueSeconds, saidSeconds }) => saidSeconds - trueSeconds)
  return [
    atMost('reported as newer by', Math.max(0, ...errors.map(error => -error)), 2, 's'),
    atMost('reported as older by', Math.max(0, ...errors), olderByAtMost, 's'),
  ]
}
