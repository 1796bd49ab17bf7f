// A gateway in this process with the shipped definitions, on the shared standby with the demo's data.
import { sharedCluster } from './cluster.ts'
import { startGateway, type TestGateway } from './in-process-gateway.ts'

/** Resolves when it is ready. */
export async function demoGateway(environment: NodeJS.ProcessEnv = {}): Promise<TestGateway> {
  const cluster = await sharedCluster()
  const gateway = await startGateway({
    DATABASE_URL: cluster.urlFor('svodka_reports', 'replica'),
    KEYS_DATABASE_URL: cluster.urlFor('svodka_keys', 'replica'),
    PROBE_DATABASE_URL: cluster.urlFor('svodka_probe', 'replica'),
    ...environment,
  })
  await gateway.ready()
  return gateway
}
