/** Checks databases and definitions with the parts of the gateway, without serving. */
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { Problem } from '../../model/errors.ts'
import type { MissingSetting, Observation } from '../../model/observation.ts'
import { monotonicClock } from '../../model/clock.ts'
import { createGateway } from '../gateway.ts'
import { checkLine, type Check } from '../http/operations.ts'
import { missingSettingText } from '../observe/log-lines.ts'
import { wordsOf } from '../database/fault.ts'
import { openSession } from '../database/pool.ts'
import { readOnlyRows } from '../database/row-query.ts'

export interface ConfigCheck {
  /** As `/readyz?verbose` prints them, such as `[+]definitions ok`. */
  readonly lines: readonly string[]
  /** Whether no check failed or is degraded. */
  readonly isValid: boolean
  /** Of statements that a replica rejects, and of `access/`. */
  readonly findings: readonly FileFinding[]
}

/** Connects to each database, plans the definitions on a replica and executes the key look-up. */
export async function checkDatabases(options: {
  readonly config: Config
  readonly catalog: Catalog
}): Promise<ConfigCheck> {
  const poolers = new Map<string, readonly MissingSetting[]>()
  const observe = (fact: Observation): void => {
    if (fact.kind === 'pooler-detected') poolers.set(fact.pool, fact.missingSettings)
  }
  const gateway = createGateway({
    ...options,
    observability: () => ({ observe, exposition: async () => ({ contentType: '', text: '' }) }),
    now: monotonicClock,
    wall: Date.now,
    random: Math.random,
  })
  const { checks, failures, findings } = await gateway.check()
  const hasFailedReplica = checks.some(
    ({ name }) => name.startsWith('replica ') && failures.has(name),
  )

  function withFailure(check: Check): Check[] {
    const { name, degraded } = check
    if (OF_SERVING.has(name)) return []
    // why: the role of an unreachable replica was not checked
    if (name === 'read-only role' && !degraded && hasFailedReplica) return []
    const failure = failures.get(name)
    return failure === undefined ? [check] : [{ ...check, ok: false, reason: reasonOf(failure) }]
  }

  const all = [
    ...checks.flatMap(withFailure),
    ...[...poolers].flatMap(roleCheck),
    ...(await inheritedSettings(options.config)),
  ]
  return {
    lines: all.map(checkLine),
    isValid: all.every(({ ok, degraded }) => ok && !degraded),
    findings,
  }
}

/** Settings of the role and its database that sessions keep, since they are the operator's. */
const INHERITED = `
select string_agg(format('%s = %s', name, setting), ', ' order by name) from pg_settings
where source in ('database', 'user', 'database user')`

async function inheritedSettings({ replicas, connectTimeoutMs }: Config): Promise<Check[]> {
  const connectionString = replicas[0]!.url
  try {
    const session = await openSession({ name: 'reports', connectionString, connectTimeoutMs })
    const rows = readOnlyRows(session.client, connectTimeoutMs, { text: INHERITED }).catch(() => [])
    const [[reason] = []] = await rows
    await session.close()
    return reason ? [{ name: 'inherited settings', ok: true, reason }] : []
  } catch {
    // why: another check has the error
    return []
  }
}

/** Checks about requests, and of all key databases together. */
const OF_SERVING: ReadonlySet<string> = new Set([
  'answers',
  'reload',
  'keys',
  'access-rows',
  'spool',
  'not draining',
])

/** The reason without the problem that a client would get. */
function reasonOf(error: unknown): string {
  return wordsOf(error instanceof Problem ? (error.cause ?? error) : error)
}

/** Behind a pooler, roles need settings. */
function roleCheck([pool, missing]: readonly [string, readonly MissingSetting[]]): Check[] {
  if (missing.length === 0) return []
  const reason = `behind a pooler, its role lacks ${missing.map(missingSettingText).join(' ')}`
  return [{ name: `pool ${pool}`, ok: false, reason }]
}
