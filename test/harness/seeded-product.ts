// The product's definitions over a hundredth of the benchmark's data, for tests that need many rows.
import { seedProduct } from '../bench/product.ts'
import type { ProductDatabase } from '../bench/product.ts'
import { sharedCluster } from './cluster.ts'
import { startGateway } from './in-process-gateway.ts'
import type { TestGateway } from './in-process-gateway.ts'
import { temporaryFolder } from './temporary-folder.ts'

let seeded: Promise<ProductDatabase> | undefined

/** Call it inside a `describe`: the folder is removed at its end. */
export function seededProduct(): () => Promise<ProductDatabase> {
  const folder = temporaryFolder()
  return () =>
    (seeded ??= sharedCluster().then(cluster =>
      seedProduct(cluster, { database: 'svodka_bench', folder, scale: 0.01 }),
    ))
}

export async function gatewayOf(
  { urls }: ProductDatabase,
  environment: NodeJS.ProcessEnv = {},
): Promise<TestGateway> {
  const gateway = await startGateway({
    DATABASE_URL: urls.reports,
    KEYS_DATABASE_URL: urls.keys,
    PROBE_DATABASE_URL: urls.probe,
    ...environment,
  })
  await gateway.ready()
  return gateway
}
