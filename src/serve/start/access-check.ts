/** Checks the files of `sql/access/`: the columns that key look-ups need, the list of organizations, the time of a look-up. */
import type {
  AccessDefinition,
  OrganizationsDefinition,
} from '../../definitions/access-definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import type { Product } from '../../definitions/product.ts'
import { idTypeFault } from '../../definitions/statement.ts'
import { lineAt, positionsIn } from '../../definitions/sql/text-positions.ts'
import { classifyError } from '../database/classify-error.ts'
import { describeColumns } from './dry-run.ts'
import { CAN_BE_PLANNED, refusedWords } from './fault.ts'
import type { QueryRows } from '../database/connection.ts'
import type { DescribedColumn } from '../database/database-client.ts'
import { readOrganization, InvalidAccessRow, HASH_OF_NO_KEY } from '../access/access-rows.ts'

/** A selected column, with its type in the system catalog; for a domain, its base type. */
export interface AccessColumn extends DescribedColumn {
  readonly typeName: string
  /** `pg_type.typcategory`: `S` is text, `E` an enum, `N` a number. */
  readonly typeCategory: string
}

/** What is expected; `fits` matches `typcategory` and the name of the type. */
const COLUMNS: Readonly<Record<string, readonly [words: string, fits: RegExp]>> = {
  key_hash: [
    "the 32 bytes of SHA-256 as bytea: decode(..., 'hex') makes them of hexadecimal text",
    / bytea$/,
  ],
  organization_id: ['the id of an organization', /./],
  time_zone: ['text, an IANA name such as Europe/Berlin', /^[SE] /],
  entitled: ['boolean', / boolean$/],
  organization_name: ['text', /^S /],
  reports: ['text[]', / (?:text|character varying)\[\]$/],
  parameters: ['jsonb', / jsonb$/],
  nickname: ['text', /^S /],
  currency: ['text', /^[SE] /],
}
const OPTIONAL = ['organization_name', 'currency', 'reports', 'parameters']
const KEY_COLUMNS = ['key_hash', 'organization_id', 'time_zone', 'entitled', ...OPTIONAL]
const ORGANIZATION_COLUMNS = ['organization_id', 'nickname', 'time_zone', 'currency']

/**
 * Checks the columns of the key look-up and the type of the id. Looks up no key.
 * @returns the id's type; undefined if there are findings
 * @throws as `checkAccessColumns`
 */
export async function checkKeyLookUp(access: AccessDefinition, ask: QueryRows) {
  const checked = await checkAccessColumns(access, ask)
  if (checked.findings.length > 0) return { ...checked, idType: undefined }
  const [[found] = []] = await ask({ text: access.idTypeText, values: ['{}'] })
  const idType = found ?? ''
  const fault = idTypeFault(idType)
  if (fault === undefined) return { ...checked, idType }
  const line = access.source.lines.get('organization_id') ?? access.source.firstLine
  const finding = { file: access.file, line, message: fault }
  return { ...checked, findings: [finding], idType: undefined }
}

/**
 * Executes no statement of the file. Returns one finding for each column that is missing, selected twice or of
 * another type. If PostgreSQL rejects the statement, the finding has its message.
 * @param ask queries on a connection of the role that will execute the statement
 * @throws as `findingOfError`
 */
export async function checkAccessColumns(
  definition: AccessDefinition | OrganizationsDefinition,
  ask: QueryRows,
) {
  const { file, source } = definition
  const isKeyQuery = 'idTypeText' in definition
  const names = isKeyQuery ? KEY_COLUMNS : ORGANIZATION_COLUMNS
  let fields: readonly DescribedColumn[] = []
  try {
    fields = await describeColumns(ask, source.sql, isKeyQuery ? ['{}'] : [])
  } catch (error) {
    const finding = findingOfError(definition, error, CAN_BE_PLANNED)
    return { columns: new Map(), findings: [finding] }
  }
  const rows = await ask({
    text: 'select oid, format_type(oid, null), typcategory from pg_type where oid = any ($1::oid[])',
    values: [`{${fields.map(({ typeId }) => typeId).join(',')}}`],
  })
  const types = new Map(rows.map(([id, ...type]) => [Number(id), type.map(String)]))
  const columns = new Map<string, AccessColumn>()
  const findings = names.flatMap(name => {
    const [words, fits] = COLUMNS[name]!
    const line = source.lines.get(name) ?? source.firstLine
    const found = (message: string) => [{ file, line, message }]
    const [field, second] = fields.filter(selected => selected.name === name)
    if (field === undefined && OPTIONAL.includes(name)) return []
    if (field === undefined) return found(`no column ${name} is selected, expected ${words}`)
    if (second !== undefined) return found(`column ${name} is selected twice, expected it once`)
    const [typeName = '', typeCategory = ''] = types.get(field.typeId)!
    columns.set(name, { ...field, typeName, typeCategory })
    if (fits.test(`${typeCategory} ${typeName}`)) return []
    return found(`column ${name} is ${typeName}, expected ${words}`)
  })
  return { columns, findings }
}

/**
 * @param error its position, if any, counts from the beginning of the statement in the file
 * @throws the error, if the statement is not its cause. A missing privilege is a fault of the role.
 */
export function findingOfError(
  { file, source: { sql, firstLine } }: Pick<AccessDefinition, 'file' | 'source'>,
  error: unknown,
  expected: string,
): FileFinding {
  // why: its author can correct what PostgreSQL rejects, but not a missing privilege
  const { severity, code } = error as Partial<Record<'severity' | 'code', unknown>>
  const isOfStatement = severity !== undefined && code !== '42501'
  if (!isOfStatement || classifyError(error).code !== 'internal_error') throw error
  const { position } = error as { readonly position?: string }
  const message = refusedWords(error, expected)
  if (position === undefined) return { file, line: undefined, message }
  const at = positionsIn(sql).ofCharacter(Number(position) - 1)
  return { file, line: firstLine + lineAt(sql, at) - 1, message }
}

const MAX_FINDINGS = 20

/** @throws what `read` throws */
export async function checkOrganizationList(
  definition: OrganizationsDefinition,
  product: Product,
  read: QueryRows,
  timeZoneFault: (timeZone: string) => string | undefined,
): Promise<readonly FileFinding[]> {
  const { file, everyText } = definition
  const { findings } = await checkAccessColumns(definition, read)
  if (findings.length > 0) return findings
  // why: there are about 600 valid names, but every row may have a different invalid one
  const text = `
select min(organization_id), min(organization_id_type), time_zone
from (\n${everyText}\n) as organization
group by time_zone order by time_zone nulls first limit 1000`
  const rows = await read({ text, before: ['set local statement_timeout = 500'] })
  const organizations = rows.map(row => readOrganization(file, row, timeZoneFault, product))
  const invalid = organizations.filter(row => row instanceof InvalidAccessRow)
  return invalid.slice(0, MAX_FINDINGS).map(({ finding }) => finding)
}

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
  read: QueryRows,
): Promise<FileFinding[]> {
  const values = [`{"\\\\x${HASH_OF_NO_KEY}"}`]
  const [[plan] = []] = await read({ text: `explain (verbose, format json) ${text}`, values })
  const [[tables] = []] = await read({ text: READ_AS_A_WHOLE, values: [plan ?? null] })
  if (tables === undefined) return []
  const message = `each look-up reads ${tables} without an index for its key, expected one, as on a stored column of the hash: sql/README.md of svodka, "An index for the hash"`
  return [{ file, line: source.lines.get('key_hash') ?? source.firstLine, message }]
}
