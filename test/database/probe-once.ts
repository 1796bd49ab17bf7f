/** A single probe. */
import { parseHeartbeat } from '../../src/definitions/access.ts'
import { parseSql } from '../harness/parse-sql.ts'
import type { ReplicaState } from '../../src/model/observation.ts'
import { createProbe } from '../../src/serve/database/probe.ts'

/**
 * @param heartbeat SQL of a heartbeat file
 * @throws the error of the probe
 */
export async function probeOnce(
  connectionString: string,
  { allowPrimary = false, heartbeat }: { allowPrimary?: boolean; heartbeat?: string } = {},
): Promise<ReplicaState> {
  const file = { file: 'heartbeat.sql', code: 'heartbeat', text: heartbeat ?? '', version: '' }
  const text =
    heartbeat === undefined ? undefined : (await parseHeartbeat(file, parseSql)).value!.text
  let probe: ReturnType<typeof createProbe> | undefined
  try {
    return await new Promise<ReplicaState>((resolve, reject) => {
      probe = createProbe({
        connectionString,
        connectTimeoutMs: 5000,
        allowPrimary,
        random: () => 0,
        heartbeat: () => text,
        observe(fact) {
          if (fact.kind === 'replica-probed') resolve(fact.state)
          if (fact.kind === 'replica-probe-failed') reject(fact.error)
        },
      })
      probe.probe()
    })
  } finally {
    await probe?.stop()
  }
}
