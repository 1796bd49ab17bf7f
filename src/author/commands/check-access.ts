/** Whether organizations can be served: the type of their ids, and each row of `sql/access/organizations.sql`. */
import { createSystemClock } from '../../model/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { IdTypeError } from '../../serve/replica/key-database.ts'
import { findInvalidOrganizations } from './organizations.ts'
import type { TimeZoneDifference } from '../../serve/replica/time-zone-checks.ts'
import { CommandError } from '../../serve/command-line/exit.ts'
import { asKeys, withKeyDatabase } from './organization.ts'

/** A fault of the data is one finding, however many organizations have it. */
const MAX_FINDINGS = 20

/** @param say to people @throws CommandError where the database of keys cannot be asked. */
export async function checkAccess(
  config: Config,
  catalog: Catalog,
  say: (line: string) => void,
): Promise<FileFinding[]> {
  const ofIdType = await checkIdType(config, catalog).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    // why: definitions are checked without a role that may look up keys, too
    say(`The key look-up was not checked. ${error.message}`)
    return []
  })
  const { organizations: definition } = catalog
  if (ofIdType.length > 0 || definition === undefined) return ofIdType
  const { invalid, differences } = await asKeys(config, () =>
    findInvalidOrganizations({
      connectionString: config.keysDatabaseUrls[0]!,
      timeoutMs: config.connectTimeoutMs,
      definition,
      now: createSystemClock(),
    }),
  )
  for (const difference of differences) say(wordsOf(difference))
  const findings = invalid
    .slice(0, MAX_FINDINGS)
    .map(({ file, fault }) => ({ file, line: undefined, message: fault }))
  const left = invalid.length - findings.length
  if (left === 0) return findings
  const message = `${left} more organizations have rows that are not valid`
  return [...findings, { file: definition.file, line: undefined, message }]
}

async function checkIdType(config: Config, { access }: Catalog): Promise<FileFinding[]> {
  return withKeyDatabase(config, access, async keys => {
    const error = await asKeys(config, () =>
      keys.idType().then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof IdTypeError) return error
          throw error
        },
      ),
    )
    if (error === undefined) return []
    return [{ file: access.file, line: undefined, message: error.fault }]
  })
}

function wordsOf({ timeZone, at, databaseMinutes, runtimeMinutes }: TimeZoneDifference): string {
  return `Warning: at ${at} the time zone ${timeZone} is ${databaseMinutes} minutes ahead of UTC to PostgreSQL and ${runtimeMinutes} to Node: expected one tzdata release, and no abbreviation such as CET.`
}
