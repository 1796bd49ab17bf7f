/**
 * Checks the configuration on the databases: at the start until all definitions are planned, at a reload, and once a
 * minute, since roles, rows of organizations and objects of definitions change. Never in a request.
 */
import type { Catalog } from '../../definitions/definition.ts'
import { describeFinding, errorOf, type FileFinding } from '../../definitions/findings.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createTimeZones } from '../access/access-rows.ts'
import { classifyError, wordsOf } from '../database/classify-error.ts'
import type { KeyDatabases } from '../database/key-databases.ts'
import { ofReplica } from '../database/replica.ts'
import type { Replicas } from '../database/replicas.ts'
import type { ReadRows } from '../database/connection.ts'
import { createCatalogCheck } from './catalog-check.ts'
import type { PlanRejection } from './dry-run.ts'
import { checkOrganizationList, findSlowLookUp } from './access-check.ts'
import { findReplicaFaults, type ReplicaFaults } from './replica-faults.ts'

/** Until all definitions are planned, they are not executed. */
const RETRY_MS: Milliseconds = 2000
const REPEAT_MS: Milliseconds = 60_000

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
  const definitions = createCatalogCheck(options)
  const timeZones = createTimeZones()
  /** Findings of the last check; unchanged ones are observed once. */
  let rejections: readonly PlanRejection[] = []
  let organizations: readonly FileFinding[] = []
  const faults = new Map<string, ReplicaFaults>()
  let timer: NodeJS.Timeout | undefined

  async function checkDefinitions(): Promise<void> {
    const found = await definitions.dryRun(catalog())
    if (found === undefined) return
    for (const one of withoutKnown(found, rejections))
      observe({ kind: 'definition-refused', definition: one.definition, ...factOf(one) })
    rejections = found
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
  async function findInOrganizations(read: ReadRows, replica: string) {
    for (const difference of await timeZones.compare(read, wall()))
      ofReplica(observe, replica)({ kind: 'time-zone-differs', ...difference })
    const { access, organizations: definition } = catalog()
    const checking = definition && checkOrganizationList(definition, read, timeZones.faultOf)
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
    const { access = [], refused } = definitions.validation() ?? {}
    const isComplete = access.length === 0 && refused !== undefined
    const next = (): void => void (draining() || check())
    timer = setTimeout(next, isComplete ? REPEAT_MS : RETRY_MS).unref()
  }

  return {
    ...definitions,
    now: check,
    /** Findings in `organizations.sql` and its rows, and about the time of look-ups. */
    organizations: () => organizations,
    /** All findings in files. */
    findings: () => [...rejections, ...organizations],
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
