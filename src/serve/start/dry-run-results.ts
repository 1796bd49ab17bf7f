/** Results of planning definitions on a replica. Knows neither files nor Koa. */
import { allDefinitions, areaOf } from '../../definitions/any-definition.ts'
import type { AccessDefinition, Catalog, Definition } from '../../definitions/definition.ts'
import { describeFinding, type FileFinding } from '../../definitions/findings.ts'
import { internalError } from '../../model/errors.ts'
import { classifyError, replicaProblem } from '../database/classify-error.ts'
import { wordsOf } from '../database/fault.ts'
import type { AccessCheck } from '../database/key-database.ts'
import type { Replicas } from '../database/replicas.ts'
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

export interface DryRunResults {
  /**
   * Plans all definitions that have not been planned successfully. If the key look-up is invalid, only that is
   * reported. Undefined if the replica or the key database is unavailable. Never rejects.
   * @param isRepeated whether the objects of the others are checked, too: a migration may have changed them
   */
  dryRun(catalog: Catalog, isRepeated?: boolean): Promise<readonly Rejection[] | undefined>

  stateOf(catalog: Catalog): DryRunState
  /**
   * What PostgreSQL itself rejects may be executed, since it may be corrected at any time.
   * @throws Problem if an object that the definition names is refused or was not checked yet
   */
  requirePlanned(catalog: Catalog, definition: string): void
  /** Definitions of the catalog, or its access query, that were refused at their last dry run. */
  refusedCount(catalog: Catalog): number
}

/** A file of `sql/access/` does not select what look-ups need. */
export class AccessFileError extends Error {
  override readonly name = 'AccessFileError'

  constructor(finding: FileFinding) {
    super(describeFinding(finding))
  }
}

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

export function createDryRunResults(options: {
  readonly checkAccess: (
    access: AccessDefinition,
  ) => Promise<Pick<AccessCheck, 'findings' | 'idType'>>
  readonly replicas: Pick<Replicas, 'lend'>
}): DryRunResults {
  let hasPlanned = false
  // why: an access file that a reload rejects may have another id type, and must not change the results of the one in use
  const planned = new WeakMap<AccessDefinition, Planned>()
  const rejected = new WeakMap<AccessDefinition, readonly FileFinding[]>()

  async function dryRun(
    catalog: Catalog,
    isRepeated = false,
  ): Promise<readonly Rejection[] | undefined> {
    const { access } = catalog
    const checked = await options.checkAccess(access).catch(findingOf(access))
    // why: an unavailable key database may recover soon, and must not make the gateway unready
    if (checked?.idType === undefined) hasPlanned = true
    if (checked === undefined) return undefined
    const { findings, idType } = checked
    rejected.delete(access)
    if (idType === undefined) {
      rejected.set(access, findings)
      return findings.map(finding => {
        const error = new AccessFileError(finding)
        return { definition: 'access', finding, error }
      })
    }
    const known = planned.get(access)
    const { outcomes } = known?.idType === idType ? known : { outcomes: new WeakMap() }
    planned.set(access, { idType, outcomes })

    const isPlanned = (one: Definition) => outcomes.get(one) === 'valid'
    const asked = allDefinitions(catalog).filter(one => isRepeated || !isPlanned(one))
    const rejections =
      asked.length === 0
        ? []
        : await options.replicas.lend(read => dryRunOn(read, asked, idType, isPlanned))
    if (rejections === undefined) return undefined
    hasPlanned = true
    for (const one of asked) outcomes.set(one, outcomeOf(one, rejections))
    return rejections
  }

  function outcomesOf(catalog: Catalog): Array<Outcome | undefined> {
    const outcomes = planned.get(catalog.access)?.outcomes
    return allDefinitions(catalog).map(definition => outcomes?.get(definition))
  }

  return {
    dryRun,
    requirePlanned({ access, reports, metricsFiles }, definition) {
      const one = reports.get(definition) ?? metricsFiles.get(areaOf(definition))
      const outcome = one && planned.get(access)?.outcomes.get(one)
      if (outcome === undefined)
        throw replicaProblem('replica_unavailable', new Error(`${definition} is not planned yet`))
      if (typeof outcome === 'object') throw internalError(outcome.forbidden)
    },
    refusedCount(catalog) {
      const refused = outcomesOf(catalog).filter((outcome = 'valid') => outcome !== 'valid')
      return refused.length + Number(rejected.has(catalog.access))
    },
    stateOf(catalog) {
      const findings = rejected.get(catalog.access)
      if (findings !== undefined) return { rejected: findings }
      if (!hasPlanned) return 'not yet'
      const outcomes = outcomesOf(catalog)
      if (outcomes.includes(undefined)) return 'postponed'
      const refused = allDefinitions(catalog).filter((_, at) => outcomes[at] !== 'valid')
      return { refused: refused.map(({ name }) => name) }
    },
  }
}

function outcomeOf({ name }: Definition, rejections: readonly Rejection[]): Outcome {
  const own = rejections.filter(({ definition }) => definition === name)
  const forbidding = own.find(({ isForbidden }) => isForbidden)
  if (forbidding !== undefined) return { forbidden: forbidding.error }
  return own.length === 0 ? 'valid' : 'refused'
}

/** Findings for an error of the SQL or a missing privilege; undefined for other errors, which may be temporary. */
function findingOf({ file }: AccessDefinition) {
  return (error: unknown) => {
    if (classifyError(error).code !== 'internal_error') return undefined
    return { findings: [{ file, line: undefined, message: wordsOf(error) }], idType: undefined }
  }
}
