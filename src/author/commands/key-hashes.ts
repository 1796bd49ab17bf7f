/** Checks that stored key hashes have the length of SHA-256, because others never match a presented key. */
import type { Config } from '../../config/config.ts'
import type { AccessDefinition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import type { AccessColumn } from '../../serve/start/access-check.ts'
import { CommandError } from '../../serve/start/command.ts'
import { printLine } from '../../serve/start/output.ts'
import { withKeySession } from './session.ts'

const SHA256_BYTES = 32

const TABLE_OF_COLUMN = `select format('%I', attname), attrelid::regclass::text
from pg_attribute where attrelid = $1::oid and attnum = $2::smallint`

/**
 * Returns a finding only if no hash has the length: the look-up may exclude other kinds of keys. Prints what is unproved.
 */
export async function checkKeyHashes(
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
