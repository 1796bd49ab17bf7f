/**
 * Behind a pooler: what a session was found to be set to, compared with what its role must carry, and
 * how the role is mended. Knows no pg.
 */
import { Problem } from '../../model/errors.ts'
import type { Lacking, PoolName } from '../../model/observation.ts'
import { LIMITS_OF_REPORTS, type Settings } from './session-settings.ts'

/** A limit of any length is one; PostgreSQL prints none as 0. */
const LIMITS = new Set([
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'client_connection_check_interval',
])

const UTC = /^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/i

/** @param found what `current_setting` says, by name */
export function findLacking(expected: Settings, found: Settings, role: string): Lacking[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const current = found[name] ?? ''
    if (isCarried(name, wanted, current)) return []
    // why: one role may do all, and what mends it for look-ups must not cut its reports short
    const value = LIMITS_OF_REPORTS[name] ?? wanted
    const changesAnswers = isPrintedOtherwise(name, current)
    return [
      { name, found: current, expected: value, changesAnswers, mend: mend(role, name, value) },
    ]
  })
}

function isCarried(name: string, expected: string, found: string): boolean {
  if (LIMITS.has(name)) return found !== '0'
  return found === expected || (name === 'TimeZone' && UTC.test(found))
}

/** Of one that is not carried. */
function isPrintedOtherwise(name: string, found: string): boolean {
  // why: what follows ISO is how a date is read that does not say which of its numbers is the day
  if (name === 'DateStyle') return !found.startsWith('ISO')
  return ['TimeZone', 'IntervalStyle', 'bytea_output'].includes(name)
}

function mend(role: string, name: string, value: string): string {
  const quoted = /^[a-z_][a-z0-9_]*$/.test(role) ? role : `"${role.replaceAll('"', '""')}"`
  return `alter role ${quoted} set ${name} = '${value}';`
}

/** Answers would be wrong on such a connection. The message is for the log and for authors. */
export class RoleSettingsError extends Error {
  override readonly name = 'RoleSettingsError'

  constructor(pool: PoolName, lacking: readonly Lacking[]) {
    const wrong = lacking.filter(({ changesAnswers }) => changesAnswers)
    super(
      `behind a pooler the role of ${pool} must carry what answers hang on, and does not: ${describeLacking(wrong)}`,
    )
  }
}

/** What the role lacks, where that is the error. */
export function refusalOf(error: unknown): string | undefined {
  const cause = error instanceof Problem ? error.cause : error
  return cause instanceof RoleSettingsError ? cause.message : undefined
}

/** `jit is "on", expected "off": alter role reports set jit = 'off';` and so on. */
export function describeLacking(lacking: readonly Lacking[]): string {
  return lacking
    .map(
      ({ name, found, expected, mend }) => `${name} is "${found}", expected "${expected}": ${mend}`,
    )
    .join(' ')
}
