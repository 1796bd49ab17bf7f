/**
 * Checks the configuration on the databases: at the start until all definitions are planned, at a reload, and once a
 * minute, since roles, rows of organizations and objects of definitions change. Never in a request.
 */
import type { Catalog } from '../../definitions/definition.ts'
import { describeFinding, errorOf, type FileFinding } from '../../definitions/findings.ts'
import { ofReplica, type Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { KeyDatabases } from '../database/key-databases.ts'
import type { Replicas } from '../database/replicas.ts'
import type { ReadRows } from '../database/row-query.ts'
import { createCatalogCheck } from './catalog-check.ts'
import { checkOrganizationList } from './organization-list.ts'
import { findReplicaFaults, type ReplicaFaults } from './replica-faults.ts'
import { createTimeZones } from './time-zones.ts'

/** Until all definitions are planned, they are not executed. */
const RETRY_MS: Milliseconds = 2000
const REPEAT_MS: Milliseconds = 60_000

export function createChecks(options: {
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  readonly keys: Pick<KeyDatabases, 'queryFirstAvailable'>
  readonly replicas: Pick<Replicas, 'all' | 'lend' | 'lendOf' | 'checkHeartbeat'>
  /** Called after a dry run of the catalog in use, unless it repeats what is known. */
  readonly onDryRun?: (() => void) | undefined
  readonly draining: () => boolean
  readonly observe: Observe
  readonly now: Clock
}) {
  const { catalog, keys, replicas, draining, observe, now } = options
  const definitions = createCatalogCheck(options)
  const timeZones = createTimeZones()
  /** The catalog that was checked last, and what was found: unchanged findings are reported once. */
  let checked: Catalog | undefined
  let rejections: readonly FileFinding[] = []
  let organizations: readonly FileFinding[] = []
  /** The key database that could not be asked for time zones, and why. */
  let failure: { readonly replica: string; readonly message: string } | undefined
  const faults = new Map<string, ReplicaFaults>()
  let timer: NodeJS.Timeout | undefined

  async function checkDefinitions(): Promise<void> {
    const inUse = catalog()
    const found = await definitions.dryRun(inUse)
    if (found === undefined) return
    const findings = found.map(({ finding }) => finding)
    const added = withoutKnown(findings, rejections)
    for (const { definition, finding } of found)
      if (added.includes(finding))
        observe({ kind: 'definition-refused', definition, ...factOf(finding) })
    const isNew = checked !== inUse || added.length > 0 || findings.length !== rejections.length
    checked = inUse
    rejections = findings
    if (isNew) options.onDryRun?.()
  }

  /** The list of the command line, and the time zones of all organizations so far. */
  async function checkOrganizations(): Promise<void> {
    const { organizations: definition } = catalog()
    let asked = ''
    try {
      await keys.queryFirstAvailable(async (read, replica) => {
        asked = replica
        await compareTimeZones(read, replica)
        const checking = definition && checkOrganizationList(definition, read, timeZones.faultOf)
        // why: the role may lack the privilege, and look-ups check the rows of their keys
        const found = (await checking?.catch(() => [])) ?? []
        await compareTimeZones(read, replica)
        for (const finding of withoutKnown(found, organizations))
          observe({ kind: 'organizations-rejected', ...factOf(finding) })
        organizations = found
      })
      failure = undefined
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (failure === undefined) ofReplica(observe, asked)({ kind: 'access-check-failed', error })
      failure = { replica: asked, message: `time zones not checked: ${message}` }
    }
  }

  async function compareTimeZones(read: ReadRows, replica: string): Promise<void> {
    for (const difference of await timeZones.compare(read, now()))
      ofReplica(observe, replica)({ kind: 'time-zone-differs', ...difference })
  }

  async function checkReplica(replica: Replicas['all'][number]): Promise<void> {
    const { name } = replica
    // why: a role without access to the system catalogs can still execute reports
    const found = await replicas.lendOf(replica, findReplicaFaults).catch(() => faults.get(name))
    const { writePrivileges } = found ?? {}
    if (writePrivileges !== faults.get(name)?.writePrivileges)
      ofReplica(observe, name)({ kind: 'write-privileges', found: writePrivileges })
    faults.set(name, found ?? {})
  }

  async function check(): Promise<void> {
    await Promise.all([
      checkDefinitions().then(checkOrganizations),
      ...replicas.all.map(checkReplica),
    ])
    clearTimeout(timer)
    const isComplete = Object.hasOwn(Object(definitions.state()), 'refused')
    const next = (): void => void (draining() || check())
    if (!draining()) timer = setTimeout(next, isComplete ? REPEAT_MS : RETRY_MS).unref()
  }

  return {
    ...definitions,
    /** Checks the catalog in use and all databases, and again after the interval. Never rejects. */
    now: check,
    /** Findings in `sql/access/organizations.sql` and its rows. */
    organizations: () => organizations,
    /** All findings in files. */
    findings: () => [...rejections, ...organizations],
    ofReplica: (replica: string): ReplicaFaults => faults.get(replica) ?? {},
    timeZoneFault: timeZones.faultOf,
    /** Why time zones cannot be checked in this key database now. */
    failureIn: (replica: string): string | undefined =>
      failure?.replica === replica ? failure.message : undefined,
  }
}

function factOf(finding: FileFinding) {
  return { file: finding.file, line: finding.line, error: errorOf(finding) }
}

function withoutKnown(found: readonly FileFinding[], known: readonly FileFinding[]): FileFinding[] {
  const texts = new Set(known.map(describeFinding))
  return found.filter(finding => !texts.has(describeFinding(finding)))
}
