// One primary and hot standby for all tests of a run, with a tenth of the demo's data; started by the first that asks.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startCluster, type Cluster } from '../../src/demo/cluster.ts'
import { seedDemo } from '../../src/demo/seed.ts'

const checkout = fileURLToPath(new URL('../../..', import.meta.url))

let shared: Promise<Cluster> | undefined

/**
 * For `before` hooks: `this.timeout(30_000)` beside it. Tests leave its tables as they found them, and start what
 * they stop; one that promotes or breaks a server starts a cluster of its own.
 */
export function sharedCluster(): Promise<Cluster> {
  shared ??= start()
  return shared
}

async function start(): Promise<Cluster> {
  const cluster = await startCluster({
    directory: `${checkout}/.demo/test`,
    database: 'svodka_test',
  })
  try {
    await seedDemo(cluster, { directory: `${checkout}/sql/product`, scale: 0.1 })
    return cluster
  } catch (error) {
    await cluster.stop('immediate')
    throw error
  }
}

/** For the root hook alone. The next run begins with new data, whatever this one did to them. */
export async function stopSharedCluster(): Promise<void> {
  const cluster = await shared?.catch(() => undefined)
  if (!cluster) return
  await cluster.stop()
  rmSync(cluster.folder, { recursive: true, force: true })
}
