/** Whether the look-up of a key reads a whole table: 33 to 65 ms with 200,000 keys, on two cores (2026-11-28, PostgreSQL 18). */
import type { AccessDefinition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { HASH_OF_NO_KEY } from '../access/access-rows.ts'
import type { ReadRows } from '../database/connection.ts'

/**
 * Tables that are read without an index, or by one that does not find the hash. Of small ones PostgreSQL reads all anyway:
 * 128 KiB are a thousand keys, which take a millisecond.
 */
const READ_AS_A_WHOLE = `
select string_agg(format('%s (%s)', name, pg_size_pretty(bytes)), ', ' order by name)
from (
  select distinct pg_class.oid::regclass::text as name, pg_relation_size(pg_class.oid) as bytes
  from jsonb_path_query($1::jsonb, '$.** ? (exists (@."Relation Name") && (
      !exists (@."Index Cond") && !exists (@."Recheck Cond") || @."Filter" like_regex "${HASH_OF_NO_KEY}"
    ))') as node
  join pg_namespace on nspname = node ->> 'Schema' and nspname <> 'pg_catalog'
  join pg_class on relnamespace = pg_namespace.oid and relname = node ->> 'Relation Name'
) as tables
having sum(bytes) > 131072`

/** Executes no look-up, only plans one. @throws as `read` */
export async function findSlowLookUp(
  { file, text, source }: AccessDefinition,
  read: ReadRows,
): Promise<FileFinding[]> {
  const values = [`{"\\\\x${HASH_OF_NO_KEY}"}`]
  const [[plan] = []] = await read({ text: `explain (verbose, format json) ${text}`, values })
  const [[tables] = []] = await read({ text: READ_AS_A_WHOLE, values: [plan ?? null] })
  if (tables === undefined) return []
  const message = `each look-up reads ${tables} without an index for its key, expected one, as on a stored column of the hash: sql/README.md of svodka, "An index for the hash"`
  return [{ file, line: source.lines.get('key_hash') ?? source.firstLine, message }]
}
