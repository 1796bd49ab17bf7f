/** Finds organizations for commands, by id, nickname or API key. */
import { readFileSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import type { OrganizationsDefinition } from '../../definitions/access-definition.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { timeZoneFault } from '../../definitions/time-zone-name.ts'
import { suggest } from '../../model/spelling.ts'
import {
  InvalidAccessRow,
  organizationsByKey,
  readOrganization,
  type KeyHash,
  type Reader,
} from '../../serve/access/access-rows.ts'
import { presentedKey } from '../../serve/access/organization-lookup.ts'
import { checkAccessColumns, findingOfError } from '../../serve/start/access-check.ts'
import type { CheckedOrganization } from '../check/questions.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { printLine, displayFile, messageOf } from '../../command/output.ts'
import { withKeySession } from './session.ts'

export interface OrganizationOptions {
  readonly org?: string | undefined
  readonly keyFile?: string | undefined
}

/** The key of `--key-file`; undefined with `--org`. @throws CommandError if neither option is given, or the file contains no key. */
export function readKeyOption({ org, keyFile }: OrganizationOptions): KeyHash | undefined {
  if (org !== undefined) return undefined
  if (keyFile === undefined) {
    throw new CommandError(
      EXIT.usage,
      'Found neither --org nor --key-file, expected an organization: --org with its id or a nickname of access/organizations.sql, or --key-file with a file that contains its API key.',
    )
  }
  const presented = presentedKey(undefined, readKey(keyFile))
  if (presented.kind === 'key') return presented.hash
  throw new CommandError(EXIT.usage, `--key-file: ${keyFile} contains no key, expected an API key.`)
}

function readKey(keyFile: string): string {
  try {
    return readFileSync(keyFile === '-' ? 0 : keyFile, 'utf8').trim()
  } catch (error) {
    throw new CommandError(EXIT.usage, `--key-file cannot be read: ${messageOf(error)}.`)
  }
}

/** @throws CommandError if the key is unknown; DefinitionErrors of its row. */
export async function organizationOfKey(
  hash: KeyHash,
  config: Config,
  catalog: Catalog,
): Promise<Reader> {
  const found = await withKeySession(config, read =>
    organizationsByKey(read, catalog, [hash], timeZoneFault),
  )
  const organization = found.get(hash)
  if (organization === undefined)
    throw new CommandError(EXIT.usage, 'The key is unknown or revoked.')
  if (organization instanceof InvalidAccessRow) throw new DefinitionErrors([organization.finding])
  if (!organization.entitled) {
    printLine(
      "The organization's tier does not include the API: the API responds 402 module_locked instead of this result.",
    )
  }
  return organization
}

/** @throws CommandError if no id or nickname matches; DefinitionErrors of `organizations.sql`. */
export async function organizationNamed(
  name: string,
  config: Config,
  catalog: Catalog,
): Promise<CheckedOrganization> {
  const { organizations } = catalog
  if (organizations === undefined) {
    const file = organizationsFile(config, catalog)
    throw new CommandError(
      EXIT.usage,
      `${file}: no file that loads (svodka check says why), expected the SQL that finds organizations by id and nickname for --org; run and explain take --key-file too.`,
    )
  }
  const [found] = await findOrganizations(config, organizations, catalog, name)
  if (found instanceof InvalidAccessRow) throw new DefinitionErrors([found.finding])
  if (found !== undefined) return found
  const all = (await nicknamed(config, catalog)).map(({ nickname = '' }) => nickname)
  const expected = suggest(name, all).replace('expected', 'expected an id, or')
  throw new CommandError(EXIT.usage, `There is no organization "${name}", ${expected}`)
}

/** Its path in messages; it may not exist. */
export function organizationsFile({ sqlDir }: Config, { access }: Catalog): string {
  return displayFile(access.file.replace(/[^/]+$/, 'organizations.sql'), sqlDir)
}

/** Those with these ids or nicknames; without names, those with a nickname and a valid row. @throws as `organizationNamed` */
export async function chosenOrganizations(
  names: readonly string[] | undefined,
  config: Config,
  catalog: Catalog,
): Promise<CheckedOrganization[]> {
  if (names !== undefined)
    return Promise.all(names.map(name => organizationNamed(name, config, catalog)))
  return nicknamed(config, catalog)
}

type KeysConfig = Parameters<typeof withKeySession>[0]

/** Organizations with a nickname and a valid row. @throws as `findOrganizations` */
export async function nicknamed(
  config: KeysConfig,
  catalog: Catalog,
): Promise<CheckedOrganization[]> {
  const { organizations } = catalog
  if (organizations === undefined) return []
  const rows = await findOrganizations(config, organizations, catalog, null)
  return rows.flatMap(row => (row instanceof InvalidAccessRow ? [] : row))
}

/**
 * @param name an id or a nickname; null for those that have a nickname
 * @throws CommandError if the database is unavailable; DefinitionErrors if the file selects wrong columns.
 */
function findOrganizations(
  config: KeysConfig,
  definition: OrganizationsDefinition,
  { product }: Catalog,
  name: string | null,
) {
  const { file, text } = definition
  return withKeySession(config, async query => {
    const { findings } = await checkAccessColumns(definition, query)
    if (findings.length > 0) throw new DefinitionErrors(findings)
    const found = await query({ text, values: [name] }).catch((error: unknown) => {
      throw new DefinitionErrors([findingOfError(definition, error, 'a row of each organization')])
    })
    return found.map(([id, idType, timeZone, nickname, currency]) => {
      const columns = [id, idType, timeZone, 't', null, currency]
      const row = readOrganization(file, columns, timeZoneFault, product)
      return row instanceof InvalidAccessRow
        ? row
        : Object.assign(row, { nickname: nickname ?? undefined })
    })
  })
}
