/** Checks that the probe's role can plan `sql/replica/heartbeat.sql` on the replica. */
import { isRefusal } from '../check/session.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import { readOnlyRows } from '../../serve/database/connection.ts'
import { describeColumns } from '../../serve/start/dry-run.ts'
import { CAN_BE_PLANNED, refusedWords } from '../../serve/start/fault.ts'
import { reached, withSession } from './session.ts'

const TIMEOUT_MS = 10_000

/** @throws CommandError if the database is unavailable. */
export async function checkHeartbeat(
  config: Config,
  { heartbeat }: Pick<Catalog, 'heartbeat'>,
): Promise<FileFinding[]> {
  if (heartbeat === undefined) return []
  const { file, text } = heartbeat
  const describe = (client: DatabaseClient) =>
    describeColumns(query => readOnlyRows(client, TIMEOUT_MS, query), text).then(
      () => [],
      (error: unknown) =>
        isRefusal(error)
          ? [{ file, line: undefined, message: refusedWords(error, CAN_BE_PLANNED) }]
          : reached(() => Promise.reject(error)),
    )
  return withSession(config, describe, 'probe')
}
