// How old the data of a standby truly are: the primary writes the time, and the standby is asked what it shows.
import { Client } from 'pg'
import { eventually } from '../../src/demo/processes.ts'
import { ofReplica } from '../harness/exposition.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Node } from '../harness/servers.ts'
import type { World } from '../harness/world.ts'

const EVERY_MS = 100

/** Writes on the primary until the scenario's faults are undone, or the primary is away. */
export async function startBeats(world: World): Promise<{ stop(): Promise<void> }> {
  const { primary } = world.servers
  const client = new Client({ connectionString: world.servers.url('postgres', primary.port) })
  client.on('error', () => undefined)
  await client.connect()
  let writing = Promise.resolve()
  const timer = setInterval(() => {
    writing = client.query('update beats set at = clock_timestamp()').then(
      () => undefined,
      () => undefined,
    )
  }, EVERY_MS)
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    await writing
    await client.end().catch(() => undefined)
  }
  world.undo(stop)
  return { stop }
}

export interface LagSample {
  readonly trueSeconds: number
  /** By the gateway's metric. NaN where it says nothing. */
  readonly saidSeconds: number
}

/** One look at a standby whose primary writes all the time. */
export async function sampleLag(gateway: Gateway, node: Node): Promise<LagSample> {
  const shown = await node.ask('select extract(epoch from clock_timestamp() - at) from beats')
  return { trueSeconds: Number(shown), saidSeconds: await saidLag(gateway, node) }
}

export async function saidLag(gateway: Gateway, node: Node): Promise<number> {
  const samples = await gateway.metrics()
  return ofReplica(samples, 'svodka_replica_lag_seconds', `127.0.0.1:${node.port}`)
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

/** The worst of them, in seconds: said to be newer than it is, and older. NaN where one says nothing. */
export function worst(samples: readonly LagSample[]): { under: number; over: number } {
  const errors = samples.map(({ trueSeconds, saidSeconds }) => saidSeconds - trueSeconds)
  return { under: Math.max(0, ...errors.map(error => -error)), over: Math.max(0, ...errors) }
}
