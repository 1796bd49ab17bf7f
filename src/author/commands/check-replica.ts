/** A session on the replica for `svodka check`, and the organizations that it asks for. */
import { DatabaseError } from 'pg'
import type { AskReplica } from '../check/check.ts'
import { createReplicaCheck } from '../check/on-replica.ts'
import { createSystemClock } from '../../model/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import { classifyError } from '../../serve/replica/classify-error.ts'
import type { Organization } from '../../model/terms.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { nicknamed, organizationNamed, reached } from './organization.ts'
import { withSession } from './session.ts'

export interface ReplicaCheckOptions {
  readonly config: Config
  readonly catalog: Catalog
  /** Ids or nicknames. */
  readonly org: readonly string[] | undefined
  /** To people. */
  readonly say: (line: string) => void
}

/** @throws CommandError where the database cannot be asked, or an organization is not there. */
export async function withReplicaCheck<T>(
  { config, catalog, org, say }: ReplicaCheckOptions,
  use: (ask: AskReplica) => Promise<T>,
): Promise<T> {
  const organizations = await whom(org, config, catalog)
  if (organizations.length === 0) {
    const expected =
      catalog.organizations === undefined
        ? `${organizationsFile(catalog)}, which finds them`
        : `--org <id>, or nicknames for some in ${organizationsFile(catalog)}`
    say(`Asked for nobody in particular, so that no answers are compared: expected ${expected}.`)
  }
  return withSession(config, async client => {
    const now = createSystemClock()
    const ask = await reached(() => createReplicaCheck({ client, organizations, catalog, now }))
    return use(async definition => {
      const said = await unlessLost(ask(definition))
      for (const what of said.unproved) say(`Not proved for ${definition.name}: ${what}`)
      return said
    })
  })
}

/** @throws CommandError where the database went away, or refuses what is ours. */
async function unlessLost<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    const isAway = classifyError(error).code === 'replica_unavailable'
    if (!isAway && !(error instanceof DatabaseError)) throw error
    return reached(() => Promise.reject(error instanceof Problem ? error.cause : error))
  })
}

function organizationsFile({ access }: Catalog): string {
  return access.file.replace(/[^/]+$/, 'organizations.sql')
}

function whom(
  org: readonly string[] | undefined,
  config: Config,
  catalog: Catalog,
): Promise<readonly Organization[]> {
  if (org === undefined) return nicknamed(config, catalog)
  if (catalog.organizations === undefined) {
    const message = `--org cannot be found: ${organizationsFile(catalog)} is not there, expected the SQL that finds organizations.`
    throw new CommandError(EXIT.usage, message)
  }
  return Promise.all(org.map(name => organizationNamed(name, config, catalog)))
}
