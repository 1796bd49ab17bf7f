/** Finds organizations for commands, by id, nickname or API key. */
import { readFileSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { timeZoneFault } from '../../definitions/time-zone-name.ts'
import { nearest } from '../../model/spelling.ts'
import { organizationsByKey, InvalidAccessRow } from '../../serve/access/access-rows.ts'
import { findOrganizations, isValidRow, type NamedOrganization } from './organizations.ts'
import type { Organization } from '../../model/terms.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { printLine, displayFile, messageOf } from '../../command/output.ts'
import { withKeySession } from './session.ts'
import type { KeyHash } from '../../serve/access/access-rows.ts'
import { presentedKey } from '../../serve/access/organization-lookup.ts'

export interface OrganizationOptions {
  readonly org?: string | undefined
  readonly keyFile?: string | undefined
}

type OrganizationOption =
  | { readonly kind: 'name'; readonly name: string }
  /** Only the hash of the key is stored. */
  | { readonly kind: 'key'; readonly hash: KeyHash; readonly keyFile: string }

/** Reads `--org` and `--key-file`, without a database. @throws CommandError if neither option is given, or the file contains no key. */
export function readOrganizationOption({ org, keyFile }: OrganizationOptions): OrganizationOption {
  if (org !== undefined) return { kind: 'name', name: org }
  if (keyFile === undefined) {
    throw new CommandError(
      EXIT.usage,
      'Found neither --org nor --key-file, expected an organization: --org with its id or a nickname of access/organizations.sql, or --key-file with a file that contains its API key.',
    )
  }
  const presented = presentedKey(undefined, readKey(keyFile))
  if (presented.kind === 'key') return { kind: 'key', hash: presented.hash, keyFile }
  if (presented.kind === 'impossible') throw unknownKey(keyFile)
  throw new CommandError(EXIT.usage, `--key-file: ${keyFile} contains no key, expected an API key.`)
}

function unknownKey(keyFile: string): CommandError {
  return new CommandError(EXIT.usage, `The key in ${keyFile} is unknown or revoked.`)
}

function readKey(keyFile: string): string {
  try {
    return readFileSync(keyFile === '-' ? 0 : keyFile, 'utf8').trim()
  } catch (error) {
    throw new CommandError(EXIT.usage, `--key-file cannot be read: ${messageOf(error)}.`)
  }
}

/** @throws CommandError if it does not exist; DefinitionErrors of its row, or of `organizations.sql`. */
export async function findOrganization(
  option: OrganizationOption,
  config: Config,
  catalog: Catalog,
): Promise<Organization> {
  if (option.kind === 'name') return organizationNamed(option.name, config, catalog)
  const { hash, keyFile } = option
  const found = await withKeySession(config, read =>
    organizationsByKey(read, catalog, [hash], timeZoneFault),
  )
  const organization = found.get(hash)
  if (organization === undefined) throw unknownKey(keyFile)
  if (organization instanceof InvalidAccessRow) throw new DefinitionErrors([organization.finding])
  if (organization.catalog.scopeId !== '')
    printLine('The key may read less: the API fixes its values, and refuses what it may not read.')
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
): Promise<NamedOrganization> {
  const { organizations } = catalog
  if (organizations === undefined) {
    const file = organizationsFile(config, catalog)
    throw new CommandError(
      EXIT.usage,
      `${file}: no such file, expected the SQL that finds organizations by id and nickname for --org; run and explain take --key-file too.`,
    )
  }
  const [found] = (await findOrganizations(config, organizations, { name })).rows
  if (found instanceof InvalidAccessRow) throw new DefinitionErrors([found.finding])
  if (found !== undefined) return found
  const all = (await nicknamed(config, catalog)).map(({ nickname = '' }) => nickname)
  const likely = nearest(name, all)
  const listed = all.length === 0 ? '' : ` or one of ${all.join(', ')}`
  const expected = likely === undefined ? `expected an id${listed}` : `did you mean "${likely}"?`
  throw new CommandError(EXIT.usage, `There is no organization "${name}", ${expected}`)
}

/** Its path in messages; it may not exist. */
export function organizationsFile({ sqlDir }: Config, { access }: Catalog): string {
  return displayFile(access.file.replace(/[^/]+$/, 'organizations.sql'), sqlDir)
}

/** Organizations with a nickname and a valid row, which `check` uses. @throws as `organizationNamed` */
async function nicknamed(config: Config, { organizations }: Catalog): Promise<NamedOrganization[]> {
  if (organizations === undefined) return []
  return (await findOrganizations(config, organizations, 'nicknamed')).rows.filter(isValidRow)
}

/** Those with these ids or nicknames; without names, as `nicknamed`. @throws as `organizationNamed` */
export function chosenOrganizations(
  names: readonly string[] | undefined,
  config: Config,
  catalog: Catalog,
): Promise<NamedOrganization[]> {
  if (names === undefined) return nicknamed(config, catalog)
  return Promise.all(names.map(name => organizationNamed(name, config, catalog)))
}
