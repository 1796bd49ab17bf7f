/** Plans the catalog in use on a replica, and retries while that is not possible. */
import type { Catalog, OrganizationsDefinition } from '../../definitions/definition.ts'
import { describeFinding, type FileFinding } from '../../definitions/findings.ts'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Rejection } from './dry-run.ts'
import { AccessFileError, type DryRunResults } from './dry-run-results.ts'

/** Retry interval until all definitions are planned: until then, they are not executed. */
const RETRY_MS: Milliseconds = 2000
/** Interval for checking what changes in the database: rows of organizations, and objects of definitions. */
const REPEAT_MS: Milliseconds = 60_000

export interface CatalogDryRun {
  /** Plans the catalog in use. Never rejects. */
  now(): Promise<void>
  /** Findings in `sql/access/organizations.sql` and its rows at the last check. */
  organizations(): readonly FileFinding[]
}

export function createCatalogDryRun(options: {
  readonly dryRunResults: DryRunResults
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  /** Findings in the file and its rows. */
  readonly checkOrganizations: (file: OrganizationsDefinition) => Promise<readonly FileFinding[]>
  readonly onDryRun: () => void
  readonly draining: () => boolean
  readonly observe: Observe
}): CatalogDryRun {
  const { dryRunResults, catalog, checkOrganizations, onDryRun, draining, observe } = options
  let timer: NodeJS.Timeout | undefined
  /** The findings of the last dry run: unchanged ones are reported once. */
  let rejected: ReadonlySet<string> = new Set()
  let organizations: readonly FileFinding[] = []

  /** @param isRepeated the catalog is planned already */
  async function check(isRepeated: boolean): Promise<void> {
    const planned = catalog()
    const rejections = await dryRunResults.dryRun(planned, isRepeated)
    const hasChanged = rejections !== undefined && reportRejected(rejections)
    // why: pages of `watch` reload
    if (hasChanged || (!isRepeated && rejections !== undefined)) onDryRun()
    if (isRepeated ? organizations.length > 0 : isPlanned(planned)) await updateOrganizations()
    later()
  }

  /** @returns whether the findings differ from the last */
  function reportRejected(rejections: readonly Rejection[]): boolean {
    const known = rejected
    rejected = new Set(rejections.map(({ finding }) => describeFinding(finding)))
    for (const { definition, finding, error } of rejections) {
      if (known.has(describeFinding(finding))) continue
      const { file, line } = finding
      observe({ kind: 'definition-refused', definition, file, line, error })
    }
    return [...rejected].join() !== [...known].join()
  }

  /** Never rejects: only the command line needs the file, and look-ups check the rows of their keys. */
  async function updateOrganizations(): Promise<void> {
    const { organizations: file } = catalog()
    const reported = new Set(organizations.map(describeFinding))
    organizations = file === undefined ? [] : await checkOrganizations(file).catch(() => [])
    for (const finding of organizations) {
      const error = new AccessFileError(finding)
      if (reported.has(error.message)) continue
      observe({ kind: 'organizations-rejected', file: finding.file, line: finding.line, error })
    }
  }

  function later(): void {
    clearTimeout(timer)
    if (draining()) return
    const isRepeated = isPlanned(catalog())
    timer = setTimeout(
      () => void (draining() || check(isRepeated)),
      isRepeated ? REPEAT_MS : RETRY_MS,
    ).unref()
  }

  function isPlanned(planned: Catalog): boolean {
    const state = dryRunResults.stateOf(planned)
    return typeof state === 'object' && 'refused' in state
  }

  return { now: () => check(false), organizations: () => organizations }
}
