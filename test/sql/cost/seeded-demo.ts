/** A cluster with the demo's data, for commands that measure. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCluster, type Cluster } from '../../../src/demo/cluster.ts'
import { listenForInterrupts } from '../../../src/demo/interrupts.ts'
import { seedDemo } from '../../../src/demo/seed.ts'

const checkout = fileURLToPath(new URL('../../../..', import.meta.url))
export const PRODUCT = join(checkout, 'sql', 'product')

/** Prints errors and sets the exit code. The cluster stops afterwards; an interrupt aborts the signal. */
export async function withSeededDemo(
  use: (cluster: Cluster, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interrupts = listenForInterrupts()
  const { first: signal } = interrupts
  const say = (text: string): void => void process.stderr.write(`${text}\n`)
  try {
    say('Starting a PostgreSQL primary and its hot standby ...')
    const directory = join(checkout, '.demo', 'tuned')
    const cluster = await startCluster({ directory, database: 'svodka', say, signal })
    try {
      await seedDemo(cluster, { directory: PRODUCT, say, signal })
      await use(cluster, signal)
    } finally {
      say('Stopping the standby and the primary ...')
      await cluster.stop()
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  } finally {
    interrupts.close()
  }
}
