/** Plans catalogs on a replica, and knows which definitions may be executed. Knows neither files nor Koa. */
import { allDefinitions, areaOf } from '../../definitions/any-definition.ts'
import type { AccessDefinition, Catalog } from '../../definitions/definition.ts'
import { errorOf, type FileFinding } from '../../definitions/findings.ts'
import { internalError } from '../../model/errors.ts'
import { classifyError, replicaProblem, wordsOf } from '../database/classify-error.ts'
import type { KeyDatabases } from '../database/key-databases.ts'
import type { Replicas } from '../database/replicas.ts'
import { checkKeyLookUp } from './access-check.ts'
import { dryRun as dryRunOn, type PlanRejection } from './dry-run.ts'

/** What the databases said of a catalog, as far as they were available. */
export interface Validation {
  /** Findings of the key look-up, which is invalid if there are any. */
  readonly access: readonly FileFinding[]
  /** Names of rejected definitions; undefined until they are planned on a replica. */
  readonly refused?: readonly string[]
  readonly rejections?: readonly PlanRejection[]
}

export function createCatalogCheck(options: {
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  readonly keys: Pick<KeyDatabases, 'queryFirstAvailable'>
  readonly replicas: Pick<Replicas, 'onUsable' | 'checkHeartbeat'>
}) {
  const { catalog, keys, replicas } = options
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
    const rejections = await replicas.onUsable(read => dryRunOn(read, all, idType))
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
   * @throws Problem if an object that the definition names is refused or was not checked yet
   */
  function requirePlanned(name: string): void {
    const { reports, metricsFiles } = catalog()
    const { rejections } = validation() ?? {}
    const isChecked = reports.has(name) || metricsFiles.has(areaOf(name))
    if (rejections === undefined || !isChecked)
      throw replicaProblem('replica_unavailable', new Error(`${name} is not planned yet`))
    const forbidding = rejections.find(one => one.isForbidden && one.definition === name)
    if (forbidding !== undefined) throw internalError(errorOf(forbidding))
  }

  return {
    dryRun,
    validation,
    requirePlanned,
    /** Definitions that were refused at their last dry run, or the key look-up. */
    refusedCount: (): number => {
      const { access = [], refused = [] } = validation() ?? {}
      return refused.length + Number(access.length > 0)
    },
  }
}

/** For an error of the SQL or a missing privilege; undefined for other errors, which may be temporary. */
function findingsOf({ file }: AccessDefinition, error: unknown): FileFinding[] | undefined {
  if (classifyError(error).code !== 'internal_error') return undefined
  return [{ file, line: undefined, message: wordsOf(error) }]
}
