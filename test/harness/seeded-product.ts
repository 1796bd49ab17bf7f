// The product's own definitions over the benchmark's data at a hundredth, for tests that want many rows of everything.
import { seedProduct } from '../bench/product.ts'
import type { ProductDatabase } from '../bench/product.ts'
import { sharedCluster } from './cluster.ts'
import { startGateway } from './in-process-gateway.ts'
import type { TestGateway } from './in-process-gateway.ts'
import { temporaryFolder } from './temporary-folder.ts'

let seeded: Promise<ProductDatabase> | undefined

/** Call it inside a `describe`: the folder goes with that. */
export function seededProduct(): () => Promise<ProductDatabase> {
  const folder = temporaryFolder()
  return () =>
    (seeded ??= sharedCluster().then(cluster =>
      seedProduct(cluster, { database: 'svodka_bench', folder, scale: 0.01 }),
    ))
}

export async function gatewayOf({ urls }: ProductDatabase): Promise<TestGateway> {
  const gateway = await startGateway({
    DATABASE_URL: urls.reports,
    KEYS_DATABASE_URL: urls.keys,
    PROBE_DATABASE_URL: urls.probe,
  })
  await gateway.ready()
  return gateway
}
