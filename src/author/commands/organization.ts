/** Finds organizations for commands, by id, nickname or API key. */
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { timeZoneFault } from '../../definitions/time-zone-name.ts'
import { nearest } from '../../model/spelling.ts'
import { organizationsByKey, InvalidAccessRow } from '../../serve/access/access-rows.ts'
import { findOrganizations, isValidRow, type NamedOrganization } from './organizations.ts'
import type { Organization } from '../../model/terms.ts'
import { CommandError, EXIT } from '../../serve/start/command.ts'
import { printLine, displayFile } from '../../serve/start/output.ts'
import { unknownKey, type OrganizationOption } from './organization-option.ts'
import { withKeySession } from './session.ts'

/** @throws CommandError if it does not exist; DefinitionErrors of its row, or of `organizations.sql`. */
export async function findOrganization(
  option: OrganizationOption,
  config: Config,
  catalog: Catalog,
): Promise<Organization> {
  if (option.kind === 'name') return organizationNamed(option.name, config, catalog)
  const { hash, keyFile } = option
  const found = await withKeySession(config, read =>
    organizationsByKey(read, catalog.access, [hash], timeZoneFault),
  )
  const organization = found.get(hash)
  if (organization === undefined) throw unknownKey(keyFile)
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
