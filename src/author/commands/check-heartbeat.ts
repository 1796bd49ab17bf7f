/** Checks that the probe's role can plan `sql/replica/heartbeat.sql` on the replica. */
import { isRefusal, orRefusal } from '../check/session.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { describeColumns } from '../../serve/start/dry-run.ts'
import { CAN_BE_PLANNED, refusedWords } from '../../serve/start/fault.ts'
import { queriesOn, reached, withSession } from './session.ts'

/** @throws CommandError if the database is unavailable. */
export async function checkHeartbeat(
  config: Config,
  { heartbeat }: Pick<Catalog, 'heartbeat'>,
): Promise<FileFinding[]> {
  if (heartbeat === undefined) return []
  const { file, text } = heartbeat
  const planned = await withSession(
    config,
    client => reached(() => orRefusal(describeColumns(queriesOn(client), text))),
    'probe',
  )
  if (!isRefusal(planned)) return []
  return [{ file, line: undefined, message: refusedWords(planned, CAN_BE_PLANNED) }]
}
