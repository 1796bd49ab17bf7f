/** Whether `sql/replica/heartbeat.sql` can be planned on the replica, by the role that reads it there. */
import { inTime } from '../check/in-time.ts'
import { isRefusal } from '../check/session.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { CAN_BE_PLANNED, refusedWords } from '../../serve/replica/fault.ts'
import { reached } from './organization.ts'
import { withSession } from './session.ts'

/** Planning is all that is waited for. */
const TIMEOUT_MS = 10_000

/** @returns none where there is no such file @throws CommandError where the database cannot be asked. */
export async function checkHeartbeat(
  config: Config,
  { heartbeat }: Pick<Catalog, 'heartbeat'>,
): Promise<FileFinding[]> {
  if (heartbeat === undefined) return []
  const { file, text } = heartbeat
  return withSession(
    config,
    async client => {
      const described = `select * from (\n${text}\n) as described limit 0`
      try {
        await inTime(client, TIMEOUT_MS, () => client.query(described))
        return []
      } catch (error) {
        if (!isRefusal(error)) return reached(() => Promise.reject(error))
        return [{ file, line: undefined, message: refusedWords(error, CAN_BE_PLANNED) }]
      }
    },
    'probe',
  )
}
