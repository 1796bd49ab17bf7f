/** A session on the replica for `svodka check`, and the organizations that it uses. */
import { createReplicaCheck, type ReplicaCheck } from '../check/on-replica.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { printLine } from '../../command/output.ts'
import { chosenOrganizations, organizationsFile } from './organization.ts'
import { reached, withSession } from './session.ts'

type Given = Omit<Parameters<typeof createReplicaCheck>[0], 'clients' | 'organizations' | 'now'>

export interface ReplicaCheckOptions extends Given {
  readonly config: Config
  readonly catalog: Catalog
  /** Ids or nicknames. */
  readonly org: readonly string[] | undefined
  /** Shows findings of `organizations.sql`; no organization is used then. */
  readonly show: (findings: readonly FileFinding[]) => Promise<void>
}

/** @throws CommandError if the database is unavailable or an organization does not exist. */
export async function withReplicaCheck<T>(
  { config, catalog, org, show, ...options }: ReplicaCheckOptions,
  use: (check: ReplicaCheck) => Promise<T>,
): Promise<T> {
  const finding = chosenOrganizations(org, config, catalog)
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
  // why: on two processors two sessions take half of the time
  return withSession(config, one =>
    withSession(config, async other => {
      const used = { ...options, clients: [one, other], organizations, now: Date.now }
      const check = await reached(() => createReplicaCheck(used))
      const checking = (...args: Parameters<ReplicaCheck>) => reached(() => check(...args))
      return use(Object.assign(checking, check))
    }),
  )
}
