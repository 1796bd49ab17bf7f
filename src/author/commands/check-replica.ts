/** A session on the replica for `svodka check`, and the organizations that it uses. */
import { DatabaseError } from 'pg'
import { createReplicaCheck, type ReplicaCheck } from '../check/on-replica.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import type { Tenancy } from '../../definitions/tenancy.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { Problem } from '../../model/errors.ts'
import { classifyError } from '../../serve/database/classify-error.ts'
import type { Period } from '../../model/terms.ts'
import { printLine } from '../../serve/start/output.ts'
import { nicknamed, organizationNamed, organizationsFile } from './organization.ts'
import { reached, withSession } from './session.ts'

export interface ReplicaCheckOptions {
  readonly config: Config
  readonly catalog: Catalog
  readonly tenancy: Tenancy
  readonly parse: ParseSql
  /** Ids or nicknames. */
  readonly org: readonly string[] | undefined
  /** Instead of periods that check chooses. */
  readonly period: Period | undefined
  readonly isWhole: boolean
  /** Shows findings of `organizations.sql`; no organization is used then. */
  readonly show: (findings: readonly FileFinding[]) => Promise<void>
}

/** @throws CommandError if the database is unavailable or an organization does not exist. */
export async function withReplicaCheck<T>(
  { config, catalog, tenancy, parse, org, period, isWhole, show }: ReplicaCheckOptions,
  use: (check: ReplicaCheck) => Promise<T>,
): Promise<T> {
  const finding =
    org === undefined
      ? nicknamed(config, catalog)
      : Promise.all(org.map(name => organizationNamed(name, config, catalog)))
  const organizations = await finding.catch(async (error: unknown) => {
    if (!(error instanceof DefinitionErrors)) throw error
    await show(error.findings)
    return []
  })
  if (organizations.length === 0) {
    const file = organizationsFile(config, catalog)
    printLine(
      `No organization is used, so no rows are checked: expected ${file} without findings and with nicknames, or --org <id>.`,
    )
  }
  return withSession(config, async client => {
    const options = { client, organizations, tenancy, parse, period, now: Date.now, isWhole }
    const check = await reached(() => createReplicaCheck(options))
    const { tenancyFindings, unproved } = check
    return use(
      Object.assign((...args: Parameters<ReplicaCheck>) => unlessLost(check(...args)), {
        tenancyFindings,
        unproved,
      }),
    )
  })
}

/** @throws CommandError if the database became unavailable or rejected a query of `check` itself. */
function unlessLost<T>(checking: Promise<T>): Promise<T> {
  return checking.catch((error: unknown) => {
    const isUnavailable = classifyError(error).code === 'replica_unavailable'
    if (!isUnavailable && !(error instanceof DatabaseError)) throw error
    return reached(() => Promise.reject(error instanceof Problem ? error.cause : error))
  })
}
