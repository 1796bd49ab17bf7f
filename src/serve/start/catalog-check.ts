/**
 * Plans catalogs on a replica and checks `access/` on a key database: at start, before and after a reload, and once a
 * minute, since rows of organizations and objects of definitions change. Knows neither files nor Koa.
 */
import { allDefinitions, areaOf } from '../../definitions/any-definition.ts'
import type { AccessDefinition, Catalog, Definition } from '../../definitions/definition.ts'
import { describeFinding, type FileFinding } from '../../definitions/findings.ts'
import { internalError } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classifyError, replicaProblem } from '../database/classify-error.ts'
import { wordsOf } from '../database/error-words.ts'
import type { Replicas } from '../database/replicas.ts'
import { dryRun as dryRunOn, type Rejection } from './dry-run.ts'
import type { OrganizationChecks } from './organization-checks.ts'

/** Retry interval until all definitions are planned: until then, they are not executed. */
const RETRY_MS: Milliseconds = 2000
const REPEAT_MS: Milliseconds = 60_000

/**
 * `not yet`: no catalog has been planned since the start. `postponed`: the replica or the key database was
 * unavailable for this catalog. `rejected`: findings of the key look-up, which is invalid. `refused`: names of
 * rejected definitions.
 */
export type DryRunState =
  | 'not yet'
  | 'postponed'
  | { readonly rejected: readonly FileFinding[] }
  | { readonly refused: readonly string[] }

type Outcome =
  | 'valid'
  | 'refused'
  /** Must not be executed. */
  | { readonly forbidden: unknown }

interface Planned {
  /** The id type that the outcomes were planned with. */
  readonly idType: string
  readonly outcomes: WeakMap<Definition, Outcome>
}

export function createCatalogCheck(options: {
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  readonly checks: Pick<OrganizationChecks, 'checkAccess' | 'checkOrganizations'>
  readonly replicas: Pick<Replicas, 'lend'>
  /** Called after a dry run of the catalog in use, unless it repeats what is known. */
  readonly onDryRun: () => void
  readonly draining: () => boolean
  readonly observe: Observe
}) {
  const { catalog, checks, observe } = options
  let hasPlanned = false
  // why: an access file that a reload rejects may have another id type, and must not change the results of the one in use
  const planned = new WeakMap<AccessDefinition, Planned>()
  const rejected = new WeakMap<AccessDefinition, readonly FileFinding[]>()
  /** The findings of the last checks: unchanged ones are reported once. */
  let reported: ReadonlySet<string> = new Set()
  let organizations: readonly FileFinding[] = []
  let timer: NodeJS.Timeout | undefined

  /** @param isRepeated whether objects of planned definitions are checked, too: a migration may have changed them */
  async function dryRun(
    { access, ...definitions }: Catalog,
    isRepeated = false,
  ): Promise<readonly Rejection[] | undefined> {
    const checked = await checks.checkAccess(access).catch(error => findingOf(access, error))
    // why: an unavailable key database may recover soon, and must not make the gateway unready
    if (checked?.idType === undefined) hasPlanned = true
    if (checked === undefined) return undefined
    const { findings, idType } = checked
    rejected.delete(access)
    if (idType === undefined) {
      rejected.set(access, findings)
      return findings.map(finding => {
        return { definition: 'access', finding, error: new Error(describeFinding(finding)) }
      })
    }
    const known = planned.get(access)
    const { outcomes } = known?.idType === idType ? known : { outcomes: new WeakMap() }
    planned.set(access, { idType, outcomes })
    const isPlanned = (one: Definition) => outcomes.get(one) === 'valid'
    const asked = allDefinitions(definitions).filter(one => isRepeated || !isPlanned(one))
    const rejections =
      asked.length === 0
        ? []
        : await options.replicas.lend(read => dryRunOn(read, asked, idType, isPlanned))
    if (rejections === undefined) return undefined
    hasPlanned = true
    for (const one of asked) outcomes.set(one, outcomeOf(one, rejections))
    return rejections
  }

  async function check(isRepeated: boolean): Promise<void> {
    const rejections = await dryRun(catalog(), isRepeated)
    const hasChanged = rejections !== undefined && reportRejected(rejections)
    // why: pages of `watch` reload
    if (hasChanged || (!isRepeated && rejections !== undefined)) options.onDryRun()
    if (isRepeated ? organizations.length > 0 : isComplete()) await checkOrganizations()
    clearTimeout(timer)
    if (options.draining()) return
    const repeats = isComplete()
    const next = (): void => void (options.draining() || check(repeats))
    timer = setTimeout(next, repeats ? REPEAT_MS : RETRY_MS).unref()
  }

  /** @returns whether the findings differ from the last */
  function reportRejected(rejections: readonly Rejection[]): boolean {
    const known = reported
    reported = new Set(rejections.map(({ finding }) => describeFinding(finding)))
    for (const { definition, finding, error } of rejections) {
      if (known.has(describeFinding(finding))) continue
      const { file, line } = finding
      observe({ kind: 'definition-refused', definition, file, line, error })
    }
    return [...reported].join() !== [...known].join()
  }

  /** Never rejects: only the command line needs the file, and look-ups check the rows of their keys. */
  async function checkOrganizations(): Promise<void> {
    const { organizations: file } = catalog()
    const known = new Set(organizations.map(describeFinding))
    organizations = file === undefined ? [] : await checks.checkOrganizations(file).catch(() => [])
    for (const finding of organizations) {
      const error = new Error(describeFinding(finding))
      if (known.has(error.message)) continue
      observe({ kind: 'organizations-rejected', file: finding.file, line: finding.line, error })
    }
  }

  function isComplete(): boolean {
    return Object.hasOwn(Object(state()), 'refused')
  }

  function outcomesInUse(): Array<readonly [name: string, Outcome | undefined]> {
    const outcomes = planned.get(catalog().access)?.outcomes
    return allDefinitions(catalog()).map(one => [one.name, outcomes?.get(one)])
  }

  function state(): DryRunState {
    const findings = rejected.get(catalog().access)
    if (findings !== undefined) return { rejected: findings }
    if (!hasPlanned) return 'not yet'
    const outcomes = outcomesInUse()
    if (outcomes.some(([, outcome]) => outcome === undefined)) return 'postponed'
    const refused = outcomes.filter(([, outcome]) => outcome !== 'valid')
    return { refused: refused.map(([name]) => name) }
  }

  return {
    /** Checks the catalog in use, and again after the interval. Never rejects. */
    now: () => check(false),
    /**
     * Plans all definitions that have not been planned successfully. If the key look-up is invalid, only that is
     * reported. Undefined if the replica or the key database is unavailable. Never rejects.
     */
    dryRun: (next: Catalog) => dryRun(next),
    /** Of the catalog in use. */
    state,
    /** Definitions of the catalog in use, or its access query, that were refused at their last dry run. */
    refusedCount(): number {
      const refused = outcomesInUse().filter(([, outcome = 'valid']) => outcome !== 'valid')
      return refused.length + Number(rejected.has(catalog().access))
    },
    /**
     * What PostgreSQL itself rejects may be executed, since it may be corrected at any time.
     * @throws Problem if an object that the definition names is refused or was not checked yet
     */
    requirePlanned(name: string): void {
      const { access, reports, metricsFiles } = catalog()
      const one = reports.get(name) ?? metricsFiles.get(areaOf(name))
      const outcome = one && planned.get(access)?.outcomes.get(one)
      if (outcome === undefined)
        throw replicaProblem('replica_unavailable', new Error(`${name} is not planned yet`))
      if (typeof outcome === 'object') throw internalError(outcome.forbidden)
    },
    /** Findings in `sql/access/organizations.sql` and its rows at the last check. */
    organizations: () => organizations,
  }
}

function outcomeOf({ name }: Definition, rejections: readonly Rejection[]): Outcome {
  const own = rejections.filter(({ definition }) => definition === name)
  const forbidding = own.find(({ isForbidden }) => isForbidden)
  if (forbidding !== undefined) return { forbidden: forbidding.error }
  return own.length === 0 ? 'valid' : 'refused'
}

/** Findings for an error of the SQL or a missing privilege; undefined for other errors, which may be temporary. */
function findingOf({ file }: AccessDefinition, error: unknown) {
  if (classifyError(error).code !== 'internal_error') return undefined
  return { findings: [{ file, line: undefined, message: wordsOf(error) }], idType: undefined }
}
