/** Results of planning definitions on a replica. Knows neither files nor Koa. */
import { allDefinitions } from '../../definitions/any-definition.ts'
import type { AccessDefinition, Catalog, Definition } from '../../definitions/definition.ts'
import { describeFinding, type FileFinding } from '../../definitions/findings.ts'
import { classifyError } from '../replica/classify-error.ts'
import { wordsOf } from '../replica/fault.ts'
import type { AccessCheck } from '../replica/key-database.ts'
import type { RejectedStatement, DryRunStatement } from '../replica/dry-run.ts'
import { dryRunStatement } from './dry-run-statement.ts'

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
   */
  dryRun(catalog: Catalog): Promise<readonly RejectedStatement[] | undefined>

  stateOf(catalog: Catalog): DryRunState
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

type Outcome = 'valid' | 'refused'

interface Planned {
  /** The id type that the outcomes were planned with. */
  readonly idType: string
  readonly outcomes: WeakMap<Definition, Outcome>
}

export function createDryRunResults(options: {
  readonly checkAccess: (
    access: AccessDefinition,
  ) => Promise<Pick<AccessCheck, 'findings' | 'idType'>>
  readonly dryRun: (
    statements: readonly DryRunStatement[],
  ) => Promise<readonly RejectedStatement[] | undefined>
}): DryRunResults {
  let isPlanned = false
  // why: an access file that a reload rejects may have another id type, and must not change the results of the one in use
  const planned = new WeakMap<AccessDefinition, Planned>()
  const rejected = new WeakMap<AccessDefinition, readonly FileFinding[]>()

  async function dryRun(catalog: Catalog): Promise<readonly RejectedStatement[] | undefined> {
    const { access } = catalog
    const checked = await options.checkAccess(access).catch(findingOf(access))
    // why: an unavailable key database may recover soon, and must not make the gateway unready
    if (checked?.idType === undefined) isPlanned = true
    if (checked === undefined) return undefined
    const { findings, idType } = checked
    rejected.delete(access)
    if (idType === undefined) {
      rejected.set(access, findings)
      return findings.map(finding => {
        return { definition: 'access', finding, error: new AccessFileError(finding) }
      })
    }
    const known = planned.get(access)
    const { outcomes } = known?.idType === idType ? known : { outcomes: new WeakMap() }
    planned.set(access, { idType, outcomes })

    const pending = allDefinitions(catalog).filter(one => outcomes.get(one) !== 'valid')
    const statements = pending.map(one => dryRunStatement(one, idType))
    const rejections = statements.length === 0 ? [] : await options.dryRun(statements)
    if (rejections === undefined) return undefined
    isPlanned = true
    const refused = new Set(rejections.map(({ definition }) => definition))
    for (const one of pending) outcomes.set(one, refused.has(one.name) ? 'refused' : 'valid')
    return rejections
  }

  function outcomesOf(catalog: Catalog): Array<Outcome | undefined> {
    const outcomes = planned.get(catalog.access)?.outcomes
    return allDefinitions(catalog).map(definition => outcomes?.get(definition))
  }

  function refusedIn(catalog: Catalog): string[] {
    const outcomes = outcomesOf(catalog)
    return allDefinitions(catalog).flatMap(({ name }, at) =>
      outcomes[at] === 'refused' ? [name] : [],
    )
  }

  return {
    dryRun,
    refusedCount: catalog => refusedIn(catalog).length + Number(rejected.has(catalog.access)),
    stateOf(catalog) {
      const findings = rejected.get(catalog.access)
      if (findings !== undefined) return { rejected: findings }
      if (!isPlanned) return 'not yet'
      const outcomes = outcomesOf(catalog)
      return outcomes.includes(undefined) ? 'postponed' : { refused: refusedIn(catalog) }
    },
  }
}

/** Findings for an error of the SQL or a missing privilege; undefined for other errors, which may be temporary. */
function findingOf({ file }: AccessDefinition) {
  return (error: unknown) => {
    if (classifyError(error).code !== 'internal_error') return undefined
    return { findings: [{ file, line: undefined, message: wordsOf(error) }], idType: undefined }
  }
}
