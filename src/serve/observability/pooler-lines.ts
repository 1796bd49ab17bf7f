/** What the log says of a pooler between us and a server, and of what the role then lacks. */
import type { Logger } from 'pino'
import type { Lacking, PoolName } from '../../model/observation.ts'

export function writePooler(log: Logger, pool: PoolName, lacking: readonly Lacking[]): void {
  const met = `a pooler is between the pool ${pool} and its server`
  if (lacking.length === 0) {
    return log.info({ pool }, `${met}: nothing is prepared, and its role carries the settings`)
  }
  const each = lacking.map(
    ({ name, found, expected, mend }) => `${name} is "${found}", expected "${expected}": ${mend}`,
  )
  const all = `${each.join(' ')} Say so on the primary, then RECONNECT at the pooler, whose connections keep the settings that they began with.`
  if (lacking.some(({ changesAnswers }) => changesAnswers)) {
    const refused = 'so its connections are refused, for answers would be wrong'
    return log.error({ pool }, `${met}, and its role lacks settings, ${refused}. ${all}`)
  }
  log.warn({ pool }, `${met}, and its role lacks settings. ${all}`)
}
