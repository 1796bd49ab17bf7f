/** Organizations as commands find them: by id, by nickname, or by an API key. */
import { createSystemClock } from '../../model/clock.ts'
import type { Config } from '../../config/config.ts'
import type { AccessDefinition, Catalog } from '../../definitions/definition.ts'
import { nearest } from '../../definitions/spelling.ts'
import type { KeyHash } from '../../serve/access/api-key.ts'
import { InvalidAccessRow, isValidRow } from '../../serve/access/invalid-access-row.ts'
import { createKeyDatabase, type KeyDatabase } from '../../serve/replica/key-database.ts'
import { findOrganizations, type NamedOrganization } from './organizations.ts'
import { RoleSettingsError } from '../../serve/replica/session-settings.ts'
import type { Organization } from '../../model/terms.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { messageOf, say } from '../../serve/command-line/output.ts'
import { shownFile } from '../../serve/command-line/shown-path.ts'
import { unknownKey, type Whom } from './whom.ts'

/** @throws CommandError where there is none such. */
export async function findOrganization(
  whom: Whom,
  config: Config,
  catalog: Catalog,
): Promise<Organization> {
  if (whom.kind === 'name') return organizationNamed(whom.name, config, catalog)
  const organization = await ofKey(whom.hash, config, catalog)
  if (organization === undefined) throw unknownKey(whom.place)
  if (!organization.entitled) {
    say(
      'The organization of this key is below the tier: the API answers 402 module_locked to it, and not what follows.',
    )
  }
  return organization
}

/** @throws CommandError where there is none of that id or nickname. */
export async function organizationNamed(
  name: string,
  config: Config,
  catalog: Catalog,
): Promise<NamedOrganization> {
  const [found] = await ask(name, config, catalog)
  if (found instanceof InvalidAccessRow) throw notValid(found, config)
  if (found !== undefined) return found
  const all = (await nicknamed(config, catalog)).map(({ nickname = '' }) => nickname)
  const likely = nearest(name, all)
  const expected =
    likely === undefined ? `expected an id${listed(all)}` : `did you mean "${likely}"?`
  throw new CommandError(EXIT.usage, `There is no organization "${name}", ${expected}`)
}

/** Those that have a nickname and a valid row: whom `check` asks. */
export async function nicknamed(config: Config, catalog: Catalog): Promise<NamedOrganization[]> {
  if (catalog.organizations === undefined) return []
  return (await ask(undefined, config, catalog)).filter(isValidRow)
}

async function ask(
  name: string | undefined,
  config: Config,
  { organizations, access }: Catalog,
): Promise<Array<NamedOrganization | InvalidAccessRow>> {
  if (organizations === undefined) {
    const file = shownFile(access.file.replace(/[^/]+$/, 'organizations.sql'), config.sqlDir)
    throw new CommandError(
      EXIT.usage,
      `${file}: no such file, expected the SQL that finds organizations by id and nickname for --org; run and explain take --key-file too.`,
    )
  }
  return asKeys(config, () =>
    findOrganizations({
      connectionString: config.keysDatabaseUrls[0]!,
      timeoutMs: config.connectTimeoutMs,
      definition: organizations,
      name,
      now: createSystemClock(),
    }),
  )
}

async function ofKey(
  hash: KeyHash,
  config: Config,
  catalog: Catalog,
): Promise<Organization | undefined> {
  return withKeyDatabase(config, catalog.access, async keys => {
    const found = await asKeys(config, () => keys.find([hash]))
    const organization = found.get(hash)
    if (organization instanceof InvalidAccessRow) throw notValid(organization, config)
    return organization
  })
}

/** Closed at the end. @throws whatever `use` throws. */
export async function withKeyDatabase<T>(
  config: Config,
  access: AccessDefinition,
  use: (keys: KeyDatabase) => Promise<T>,
): Promise<T> {
  const keys = createKeyDatabase({
    connectionString: config.keysDatabaseUrls[0]!,
    poolSize: 1,
    connectTimeoutMs: config.connectTimeoutMs,
    timeoutMs: config.keyTimeoutMs,
    prepared: config.prepared,
    access: () => access,
    observe: () => {},
    now: createSystemClock(),
  })
  try {
    return await use(keys)
  } finally {
    await keys.close()
  }
}

/** Requests with its keys get 503. */
function notValid({ file, fault }: InvalidAccessRow, { sqlDir }: Config): CommandError {
  return new CommandError(EXIT.findings, `${shownFile(file, sqlDir)}: ${fault}`)
}

const PERMISSION_DENIED = '42501'

/** An error of a role that may not ask names the role: reports and keys have roles of their own. */
export function asKeys<T>(
  { keysDatabaseUrls, databaseUrls }: Config,
  ask: () => Promise<T>,
): Promise<T> {
  return reached(async () => {
    try {
      return await ask()
    } catch (error) {
      if ((error as { code?: unknown }).code !== PERMISSION_DENIED) throw error
      const where =
        keysDatabaseUrls[0] === databaseUrls[0]
          ? 'KEYS_DATABASE_URL, or at DATABASE_URL where that is not set, as now'
          : 'KEYS_DATABASE_URL'
      throw new Error(
        `${messageOf(error)}. Organizations and keys are asked at ${where}, here by the role ${roleIn(keysDatabaseUrls[0]!)}: expected one that may read them.`,
        { cause: error },
      )
    }
  })
}

/** Never the password. */
function roleIn(url: string): string {
  const { username } = URL.parse(url) ?? { username: '' }
  return username === '' ? 'of the system' : decodeURIComponent(username)
}

/** @throws CommandError where the database cannot be asked. */
export async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    const told = messageOf(cause instanceof RoleSettingsError ? cause : error)
    throw new CommandError(EXIT.environment, `The database cannot be asked: ${told}`)
  }
}

function listed(nicknames: readonly string[]): string {
  return nicknames.length === 0 ? '' : ` or one of ${nicknames.join(', ')}`
}
