/** Plans catalogs on a replica, and knows which definitions may be executed. Knows neither files nor Koa. */
import { allDefinitions, areaOf } from '../../definitions/any-definition.ts'
import type { AccessDefinition, Catalog, Definition } from '../../definitions/definition.ts'
import { errorOf, type FileFinding } from '../../definitions/findings.ts'
import { internalError } from '../../model/errors.ts'
import { classifyError, replicaProblem } from '../database/classify-error.ts'
import { wordsOf } from '../database/error-words.ts'
import type { KeyDatabases } from '../database/key-databases.ts'
import type { Replicas } from '../database/replicas.ts'
import { checkAccess, type AccessCheck } from './access-columns.ts'
import { dryRun as dryRunOn, type Rejection } from './dry-run.ts'

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

export function createCatalogCheck(options: {
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  readonly keys: Pick<KeyDatabases, 'queryFirstAvailable'>
  readonly replicas: Pick<Replicas, 'lend' | 'checkHeartbeat'>
}) {
  const { catalog, keys, replicas } = options
  let hasPlanned = false
  /** The findings of the last check, and the type of ids at the last one without findings. */
  const checked = new WeakMap<AccessDefinition, Omit<AccessCheck, 'columns'>>()
  /**
   * By id type: what rejects each definition that was planned.
   * why: an access file that a reload rejects may have another id type, and must not change the results of the one in use
   */
  const planned = new Map<string, WeakMap<Definition, readonly Rejection[]>>()

  function rejectionsOf(definition: Definition): readonly Rejection[] | undefined {
    const { idType = '' } = checked.get(catalog().access) ?? {}
    return planned.get(idType)?.get(definition)
  }

  /**
   * Plans all definitions that have not been planned successfully, and checks the objects of all: a migration may have
   * changed them. If the key look-up is invalid, only that is reported. Undefined if the replica or the key database is
   * unavailable. Never rejects.
   */
  async function dryRun(next: Catalog): Promise<readonly Rejection[] | undefined> {
    const { access } = next
    const { findings, idType } = await keys
      .queryFirstAvailable(read => checkAccess(access, read))
      .catch((error: unknown) => ({ findings: findingsOf(access, error), idType: undefined }))
    // why: an unavailable key database may recover soon, and must not make the gateway unready
    if (idType === undefined) hasPlanned = true
    if (findings === undefined) return undefined
    checked.set(access, { findings, idType: idType ?? checked.get(access)?.idType })
    if (idType === undefined) return findings.map(finding => ({ definition: 'access', finding }))
    const outcomes = planned.get(idType) ?? new WeakMap<Definition, readonly Rejection[]>()
    planned.set(idType, outcomes)
    const all = allDefinitions(next)
    const isPlanned = (one: Definition) => outcomes.get(one)?.length === 0
    const rejections = await replicas.lend(read => dryRunOn(read, all, idType, isPlanned))
    if (rejections === undefined) return undefined
    hasPlanned = true
    for (const one of all) {
      const own = rejections.filter(({ definition }) => definition === one.name)
      outcomes.set(one, own)
    }
    const { heartbeat } = next
    if (!heartbeat || heartbeat.text === catalog().heartbeat?.text) return rejections
    // why: without a heartbeat that can be read, the lag is unknown, and keys may not be looked up there
    const finding = await replicas.checkHeartbeat(heartbeat)
    if (finding === undefined) return rejections
    return [...rejections, { definition: 'heartbeat', finding }]
  }

  /** Of the catalog in use. */
  function state(): DryRunState {
    const { findings = [] } = checked.get(catalog().access) ?? {}
    if (findings.length > 0) return { rejected: findings }
    if (!hasPlanned) return 'not yet'
    const all = allDefinitions(catalog())
    if (all.some(one => rejectionsOf(one) === undefined)) return 'postponed'
    const refused = all.filter(one => rejectionsOf(one)!.length > 0)
    return { refused: refused.map(({ name }) => name) }
  }

  /** Definitions of the catalog in use, or its access query, that were refused at their last dry run. */
  function refusedCount(): number {
    const refused = allDefinitions(catalog()).filter(one => rejectionsOf(one)?.length)
    const isRejected = checked.get(catalog().access)?.findings.length
    return refused.length + Number(Boolean(isRejected))
  }

  /**
   * What PostgreSQL itself rejects may be executed, since it may be corrected at any time.
   * @throws Problem if an object that the definition names is refused or was not checked yet
   */
  function requirePlanned(name: string): void {
    const { reports, metricsFiles } = catalog()
    const one = reports.get(name) ?? metricsFiles.get(areaOf(name))
    const rejections = one && rejectionsOf(one)
    if (rejections === undefined)
      throw replicaProblem('replica_unavailable', new Error(`${name} is not planned yet`))
    const forbidding = rejections.find(({ isForbidden }) => isForbidden)
    if (forbidding !== undefined) throw internalError(errorOf(forbidding.finding))
  }

  return { dryRun, state, refusedCount, requirePlanned }
}

/** For an error of the SQL or a missing privilege; undefined for other errors, which may be temporary. */
function findingsOf({ file }: AccessDefinition, error: unknown): FileFinding[] | undefined {
  if (classifyError(error).code !== 'internal_error') return undefined
  return [{ file, line: undefined, message: wordsOf(error) }]
}
