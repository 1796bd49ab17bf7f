// Holds the runs of the report `latched` on a server for as long as a scenario wants: no sleeps.
import { Client } from 'pg'
import { eventually } from '../../src/demo/processes.ts'
import { running } from './invariants.ts'
import type { Node } from './servers.ts'
import type { World } from './world.ts'

export interface Latch {
  /** Resolves when so many of the gateway's statements run on the server. */
  held(count: number): Promise<void>
  release(): Promise<void>
}

/** Is released when the scenario's faults are undone at the latest. */
export async function holdLatch(world: World, node: Node): Promise<Latch> {
  const client = new Client({ connectionString: world.servers.url('postgres', node.port) })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('select pg_advisory_lock(1)')
  let isHeld = true
  const release = async (): Promise<void> => {
    if (isHeld) await client.end().catch(() => undefined)
    isHeld = false
  }
  world.undo(release)
  return {
    release,
    async held(count) {
      if (await eventually(async () => (await running(node)) >= count, 5000)) return
      throw new Error(`${await running(node)} statements run, ${count} were expected`)
    },
  }
}
