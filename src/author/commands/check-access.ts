/** Checks the files of `sql/access/`, the stored key hashes, and whether the probe's role can plan the heartbeat. */
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { AccessDefinition } from '../../definitions/access-definition.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { CommandError } from '../../model/command-error.ts'
import { messageOf, printLine } from '../../command/output.ts'
import { createTimeZones } from '../../serve/access/access-rows.ts'
import type { QueryRows } from '../../serve/database/connection.ts'
import {
  checkKeyLookUp,
  checkOrganizationList,
  findSlowLookUp,
  type AccessColumn,
} from '../../serve/start/access-check.ts'
import { isRefusal, orRefusal } from '../check/session.ts'
import { describeColumns } from '../../serve/start/dry-run.ts'
import { CAN_BE_PLANNED, refusedWords } from '../../serve/start/fault.ts'
import { queriesOn, reached, withKeySession, withSession } from './session.ts'

/** @param isWhole whether key hashes and rows of organizations are checked too */
export function checkAccess(
  config: Config,
  { access, organizations, product }: Catalog,
  isWhole: boolean,
): Promise<readonly FileFinding[]> {
  const checking = withKeySession(config, async query => {
    const { findings, columns } = await checkKeyLookUp(access, query)
    if (findings.length === 0) findings.push(...(await findSlowLookUp(access, query)))
    const keyHash = findings.length === 0 ? columns.get('key_hash') : undefined
    if (isWhole && keyHash) findings.push(...(await checkKeyHashes(access, keyHash, query)))
    if (!isWhole || organizations === undefined) return findings
    const zones = createTimeZones()
    const ofList = () => checkOrganizationList(organizations, product, query, zones.faultOf)
    // why: PostgreSQL is asked for the zones that were read before
    await ofList()
    await zones.compare(query, Date.now())
    return [...findings, ...(await ofList())]
  })
  return checking.catch((error: unknown) => {
    if (error instanceof DefinitionErrors) return error.findings
    if (!(error instanceof CommandError)) throw error
    // why: definitions can be checked without a role that may look up keys
    printLine(`The key look-up was not checked. ${error.message}`)
    return []
  })
}

const SHA256_BYTES = 32

const TABLE_OF_COLUMN = `select format('%I', attname), attrelid::regclass::text
from pg_attribute where attrelid = $1::oid and attnum = $2::smallint`

/**
 * Checks that stored key hashes have the length of SHA-256, because others never match a presented key.
 * Returns a finding only if no hash has the length: the look-up may exclude other kinds of keys. Prints what is unproved.
 */
async function checkKeyHashes(
  { file, source }: AccessDefinition,
  { tableID, columnID }: AccessColumn,
  query: QueryRows,
): Promise<FileFinding[]> {
  try {
    const [[column, table] = []] = await query({
      text: TABLE_OF_COLUMN,
      values: [`${tableID}`, `${columnID}`],
    })
    if (table === undefined) throw new Error('It is not a column of a table.')
    const [[count, right, length] = []] = await query({
      text: `select count(bytes), count(*) filter (where bytes = ${SHA256_BYTES}), min(bytes)
      from (select octet_length(${column}) as bytes from ${table}) as hashes`,
    })
    if (count === '0' || right !== '0') return []
    const message = `column key_hash has ${length} bytes in ${table}, expected the ${SHA256_BYTES} of SHA-256`
    return [{ file, line: source.lines.get('key_hash'), message }]
  } catch (error) {
    printLine(`Not proved: that key_hash of ${file} has ${SHA256_BYTES} bytes. ${messageOf(error)}`)
    return []
  }
}

/** @throws CommandError if the database is unavailable. */
export async function checkHeartbeat(
  config: Config,
  { heartbeat }: Pick<Catalog, 'heartbeat'>,
): Promise<FileFinding[]> {
  if (heartbeat === undefined) return []
  const { file, text } = heartbeat
  const planned = await withSession(
    config,
    client => reached(() => orRefusal(describeColumns(queriesOn(client), text))),
    'probe',
  )
  if (!isRefusal(planned)) return []
  return [{ file, line: undefined, message: refusedWords(planned, CAN_BE_PLANNED) }]
}
