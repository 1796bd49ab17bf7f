// Blocks executions of the report `latched` on a server until a scenario releases them, without sleeps.
import { Client } from 'pg'
import { eventually } from '../../src/demo/processes.ts'
import type { Node } from './servers.ts'
import type { Stage } from './stage.ts'

export interface Latch {
  /** Resolves when the server executes at least that many statements of the gateway. @throws Error after 5 s. */
  readonly held: (count: number) => Promise<void>
  readonly release: () => Promise<void>
}

/** Released at the latest when the scenario's faults are undone. */
export async function holdLatch(stage: Stage, node: Node): Promise<Latch> {
  const client = new Client({ connectionString: stage.servers.url('postgres', node.port) })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('select pg_advisory_lock(1)')
  let isHeld = true
  const release = async (): Promise<void> => {
    if (isHeld) await client.end().catch(() => undefined)
    isHeld = false
  }
  stage.undo(release)
  return {
    release,
    async held(count) {
      if (await eventually(async () => (await node.running()) >= count, 5000)) return
      throw new Error(`${await node.running()} statements run, ${count} were expected`)
    },
  }
}
