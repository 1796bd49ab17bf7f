/** Checks the columns of the files of `sql/access/`, the stored key hashes, and the rows of `organizations.sql`. */
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { AccessDefinition } from '../../definitions/access-definition.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { CommandError } from '../../model/command-error.ts'
import { printLine } from '../../command/output.ts'
import {
  checkKeyLookUp,
  type AccessColumn,
  type AccessColumns,
  findSlowLookUp,
} from '../../serve/start/access-check.ts'
import type { TimeZoneDifference } from '../../serve/access/access-rows.ts'
import { findOrganizations, isValidRow, type OrganizationList } from './organizations.ts'
import { withKeySession } from './session.ts'
import { InvalidAccessRow } from '../../serve/access/access-rows.ts'

const MAX_FINDINGS = 20

interface Checked extends AccessColumns {
  /** If the columns have no finding. */
  readonly keyHash?: AccessColumn | undefined
}

/**
 * @param isWhole whether key hashes and rows of organizations are checked too
 */
export async function checkAccess(
  config: Config,
  catalog: Catalog,
  isWhole: boolean,
): Promise<FileFinding[]> {
  const { access } = catalog
  const checking = withKeySession(config, async query => {
    const { findings, columns } = await checkKeyLookUp(access, query)
    if (findings.length > 0) return { findings, columns }
    const slow = await findSlowLookUp(access, query)
    return { findings: slow, columns, keyHash: columns.get('key_hash') }
  })
  const { findings, columns, keyHash } = await checking.catch((error: unknown): Checked => {
    if (!(error instanceof CommandError)) throw error
    // why: definitions can be checked without a role that may look up keys
    printLine(`The key look-up was not checked. ${error.message}`)
    return { findings: [], columns: new Map() }
  })
  if (!isWhole) return [...findings]
  const ofHashes = keyHash && (await checkKeyHashes(config, access, keyHash))
  const ofOrganizations = await checkOrganizations(config, catalog, columns)
  return [...findings, ...(ofHashes ?? []), ...ofOrganizations]
}

/** @param keyColumns of the key look-up */
async function checkOrganizations(
  config: Config,
  { access, organizations: definition }: Catalog,
  keyColumns: AccessColumns['columns'],
): Promise<FileFinding[]> {
  if (definition === undefined) return []
  const { file } = definition
  const found = await findOrganizations(config, definition, 'all').catch((error: unknown) => {
    if (error instanceof DefinitionErrors) return error
    throw error
  })
  if (found instanceof DefinitionErrors) return [...found.findings]
  for (const difference of found.differences) printLine(timeZoneWarning(difference))
  const messages = messagesOf(file, found)
  const omittedCount = messages.splice(MAX_FINDINGS).length
  if (omittedCount > 0) messages.push(`${omittedCount} more rows are not valid`)
  const findings = messages.map(message => ({ file, line: undefined, message }))
  const keyColumn = keyColumns.get('organization_id')
  const column = found.columns.get('organization_id')
  // why: ids of different kinds of types, such as `uuid` and `integer`, cannot be the same ids
  if (!keyColumn || !column || keyColumn.typeCategory === column.typeCategory) return findings
  const message = `column organization_id is ${keyColumn.typeName}, expected ${column.typeName} as in ${file}`
  const line = access.source.lines.get('organization_id')
  return [{ file: access.file, line, message }, ...findings]
}

/** Rows with the same fault are one message. */
function messagesOf(file: string, { rows }: OrganizationList): string[] {
  const seen = new Set<string>()
  const duplicates = rows
    .filter(isValidRow)
    .filter(({ id }) => seen.has(id) || !seen.add(id))
    .map(({ id }) => new InvalidAccessRow(file, id, 'two rows, expected one for each organization'))
  const groups = new Map<string, InvalidAccessRow[]>()
  for (const row of [...rows, ...duplicates]) {
    if (isValidRow(row)) continue
    groups.set(row.found, [...(groups.get(row.found) ?? []), row])
  }
  return [...groups].map(([found, [first, ...others]]) => {
    if (others.length === 0) return first!.finding.message
    const count = others.length === 1 ? '1 other' : `${others.length} others`
    return `${first!.subject} and ${count}: ${found}`
  })
}

function timeZoneWarning(difference: TimeZoneDifference): string {
  const { timeZone, at, databaseMinutes, runtimeMinutes } = difference
  return `Warning: at ${at} the time zone ${timeZone} is ${databaseMinutes} minutes ahead of UTC in PostgreSQL and ${runtimeMinutes} in Node: expected one tzdata release, and no abbreviation such as CET.`
}

const SHA256_BYTES = 32

const TABLE_OF_COLUMN = `select format('%I', attname), attrelid::regclass::text
from pg_attribute where attrelid = $1::oid and attnum = $2::smallint`

/**
 * Checks that stored key hashes have the length of SHA-256, because others never match a presented key.
 * Returns a finding only if no hash has the length: the look-up may exclude other kinds of keys. Prints what is unproved.
 */
async function checkKeyHashes(
  config: Config,
  { file, source }: AccessDefinition,
  { tableID, columnID }: AccessColumn,
): Promise<FileFinding[]> {
  const unproved = (reason: string): [] => {
    printLine(`Not proved: that key_hash of ${file} has ${SHA256_BYTES} bytes. ${reason}`)
    return []
  }
  if (tableID === 0) return unproved('It is not a column of a table.')
  const checking = withKeySession(config, async query => {
    const values = [`${tableID}`, `${columnID}`]
    const [[column, table] = []] = await query({ text: TABLE_OF_COLUMN, values })
    const [[count, right, length] = []] = await query({
      text: `select count(bytes), count(*) filter (where bytes = ${SHA256_BYTES}), min(bytes)
      from (select octet_length(${column}) as bytes from ${table}) as hashes`,
    })
    if (count === '0' || right !== '0') return []
    const message = `column key_hash has ${length} bytes in ${table}, expected the ${SHA256_BYTES} of SHA-256`
    return [{ file, line: source.lines.get('key_hash'), message }]
  })
  return checking.catch((error: unknown) => {
    if (error instanceof CommandError) return unproved(error.message)
    throw error
  })
}
