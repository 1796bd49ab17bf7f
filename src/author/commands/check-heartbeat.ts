/** Checks that the probe's role can plan `sql/replica/heartbeat.sql` on the replica. */
import { isRefusal } from '../check/session.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { within } from '../../serve/database/connection.ts'
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
  const planned = `select * from (\n${text}\n) as described limit 0`
  return withSession(
    config,
    client =>
      within(TIMEOUT_MS, client, () => client.query(planned)).then(
        () => [],
        (error: unknown) =>
          isRefusal(error)
            ? [{ file, line: undefined, message: refusedWords(error, CAN_BE_PLANNED) }]
            : reached(() => Promise.reject(error)),
      ),
    'probe',
  )
}
