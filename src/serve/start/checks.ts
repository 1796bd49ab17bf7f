/**
 * Checks the configuration on the databases: at the start until all definitions are planned, at a reload, and once a
 * minute, since roles, rows of organizations and objects of definitions change. Never in a request, but it knows which
 * definitions may be executed.
 */
import { allDefinitions, areaOf } from '../../definitions/any-definition.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { AccessDefinition } from '../../definitions/access-definition.ts'
import { describeFinding, errorOf, type FileFinding } from '../../definitions/findings.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createTimeZones } from '../access/access-rows.ts'
import { classifyError, replicaProblem, wordsOf } from '../database/classify-error.ts'
import type { KeyDatabases } from '../database/key-databases.ts'
import { internalError } from '../../model/errors.ts'
import { ofReplica } from '../database/replica.ts'
import type { Replicas } from '../database/replicas.ts'
import type { QueryRows } from '../database/connection.ts'
import { checkKeyLookUp, checkOrganizationList, findSlowLookUp } from './access-check.ts'
import { dryRun as dryRunOn, type PlanRejection } from './dry-run.ts'
import { findReplicaFaults, type ReplicaFaults } from './replica-faults.ts'

/** Until all definitions are planned, they are not executed. */
const RETRY_MS: Milliseconds = 2000
const REPEAT_MS: Milliseconds = 60_000

/** What the databases said of a catalog, as far as they were available. */
export interface Validation {
  /** Findings of the key look-up, which is invalid if there are any. */
  readonly access: readonly FileFinding[]
  /** Names of rejected definitions; undefined until they are planned on a replica. */
  readonly refused?: readonly string[]
  readonly rejections?: readonly PlanRejection[]
}

export function createChecks(options: {
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  readonly keys: Pick<KeyDatabases, 'queryFirstAvailable'>
  readonly replicas: Pick<Replicas, 'all' | 'onUsable' | 'onReplica' | 'checkHeartbeat'>
  readonly draining: () => boolean
  readonly observe: Observe
  readonly wall: Clock
}) {
  const { catalog, keys, replicas, draining, observe, wall } = options
  const timeZones = createTimeZones()
  /** Findings of the last check; unchanged ones are observed once. */
  let lastRejections: readonly PlanRejection[] = []
  let organizations: readonly FileFinding[] = []
  const faults = new Map<string, ReplicaFaults>()
  /** Why nothing was planned at the last attempt, if a replica said so. */
  let planFailure: string | undefined
  let timer: NodeJS.Timeout | undefined

  /** why: a catalog that a reload rejects must not change the results of the one in use */
  const validations = new WeakMap<Catalog, Validation>()

  /**
   * Plans all definitions and checks their objects, which a migration may have changed. If the key look-up is invalid,
   * only that is reported. Undefined if the replica or the key database is unavailable. Never rejects.
   */
  async function dryRun(next: Catalog): Promise<readonly PlanRejection[] | undefined> {
    const { access } = next
    const last = validation()
    const { findings, idType } = await keys
      .queryFirstAvailable(read => checkKeyLookUp(access, read))
      .catch((error: unknown) => ({ findings: findingsOf(access, error), idType: undefined }))
    if (findings === undefined) {
      // why: an unavailable key database may recover soon, and must not make the gateway unready
      if (last === undefined) validations.set(next, { access: [] })
      return undefined
    }
    if (idType === undefined) {
      // why: what the catalog in use was checked for says nothing about another
      validations.set(next, { ...(next === catalog() && last), access: findings })
      return Array.from(findings, finding => ({ definition: 'access', ...finding }))
    }
    const all = allDefinitions(next)
    planFailure = undefined
    const rejections = await replicas.onUsable(
      read => dryRunOn(read, all, idType),
      error => (planFailure = wordsOf(error)),
    )
    if (rejections === undefined) return undefined
    const refused = [...new Set(rejections.map(({ definition }) => definition))]
    validations.set(next, { access: [], refused, rejections })
    const { heartbeat } = next
    if (!heartbeat || heartbeat.text === catalog().heartbeat?.text) return rejections
    // why: without a heartbeat that can be read, the lag is unknown, and keys may not be looked up there
    const finding = await replicas.checkHeartbeat(heartbeat)
    return finding ? [...rejections, { definition: 'heartbeat', ...finding }] : rejections
  }

  /** The result for the catalog in use; undefined until it has been validated. */
  const validation = (): Validation | undefined => validations.get(catalog())

  /**
   * What PostgreSQL itself rejects may be executed, since it may be corrected at any time.
   * @param executed of a definition, or of a select of its parameters' values
   * @throws Problem if an object that the definition names is refused or was not checked yet
   */
  function requirePlanned(executed: string): void {
    const [name = ''] = executed.split('.')
    const { reports, metricsFiles } = catalog()
    const { rejections } = validation() ?? {}
    const isChecked = reports.has(name) || metricsFiles.has(areaOf(name))
    if (rejections === undefined || !isChecked)
      throw replicaProblem('replica_unavailable', new Error(`${name} is not planned yet`))
    const forbidding = rejections.find(one => one.isForbidden && one.definition === name)
    if (forbidding !== undefined) throw internalError(errorOf(forbidding))
  }

  async function checkDefinitions(): Promise<void> {
    const found = await dryRun(catalog())
    if (found === undefined) return
    for (const one of withoutKnown(found, lastRejections))
      observe({ kind: 'definition-refused', definition: one.definition, ...factOf(one) })
    lastRejections = found
  }

  async function checkOrganizations(): Promise<void> {
    const found = await keys.queryFirstAvailable(findInOrganizations).catch((error: unknown) => {
      // why: a database that may recover soon is no finding; its own check reports it
      if (classifyError(error).code === 'replica_unavailable') return organizations
      const message = `time zones not checked: ${wordsOf(error)}`
      return [{ file: catalog().access.file, line: undefined, message }]
    })
    for (const finding of withoutKnown(found, organizations))
      observe({ kind: 'access-degraded', ...factOf(finding) })
    organizations = found
  }

  /** Findings of the command line's list. Compares the time zones of all organizations that were read before. */
  async function findInOrganizations(read: QueryRows, replica: string) {
    for (const difference of await timeZones.compare(read, wall()))
      ofReplica(observe, replica)({ kind: 'time-zone-differs', ...difference })
    const { access, organizations: definition, product } = catalog()
    const checking =
      definition && checkOrganizationList(definition, product, read, timeZones.faultOf)
    // why: the role may lack the privilege, and look-ups check the rows of their keys
    const invalidRows = (await checking?.catch(() => [])) ?? []
    return [...(await findSlowLookUp(access, read).catch(() => [])), ...invalidRows]
  }

  async function checkReplica(replica: Replicas['all'][number]): Promise<void> {
    const { name } = replica
    // why: a role without access to the system catalogs can still execute reports
    const found = await replicas.onReplica(replica, findReplicaFaults).catch(() => faults.get(name))
    const { writePrivileges } = found ?? {}
    if (writePrivileges !== faults.get(name)?.writePrivileges)
      ofReplica(observe, name)({ kind: 'write-privileges', found: writePrivileges })
    faults.set(name, found ?? {})
  }

  /** Checks the catalog in use and all databases, and again after the interval. Never rejects. */
  async function check(): Promise<void> {
    await Promise.all([
      checkDefinitions().then(checkOrganizations),
      ...replicas.all.map(checkReplica),
    ])
    clearTimeout(timer)
    if (draining()) return
    const { access = [], refused } = validation() ?? {}
    const isComplete = access.length === 0 && refused !== undefined
    const next = (): void => void (draining() || check())
    timer = setTimeout(next, isComplete ? REPEAT_MS : RETRY_MS).unref()
  }

  return {
    dryRun,
    validation,
    planFailure: () => planFailure,
    requirePlanned,
    /** Definitions that were refused at their last dry run, or the key look-up. */
    refusedCount: (): number => {
      const { access = [], refused = [] } = validation() ?? {}
      return refused.length + Number(access.length > 0)
    },
    now: check,
    /** Findings in `organizations.sql` and its rows, and about the time of look-ups. */
    organizations: () => organizations,
    /** All findings in files. */
    findings: () => [...lastRejections, ...organizations],
    ofReplica: (replica: string): ReplicaFaults => faults.get(replica) ?? {},
    timeZoneFault: timeZones.faultOf,
  }
}

function factOf(finding: FileFinding) {
  return { file: finding.file, line: finding.line, error: errorOf(finding) }
}

function withoutKnown<Found extends FileFinding>(
  found: readonly Found[],
  known: readonly FileFinding[],
): Found[] {
  const texts = new Set(known.map(describeFinding))
  return found.filter(finding => !texts.has(describeFinding(finding)))
}

/** For an error of the SQL or a missing privilege; undefined for other errors, which may be temporary. */
function findingsOf({ file }: AccessDefinition, error: unknown): FileFinding[] | undefined {
  if (classifyError(error).code !== 'internal_error') return undefined
  return [{ file, line: undefined, message: wordsOf(error) }]
}
