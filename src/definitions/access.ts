/** Parses `sql/access/` and `sql/replica/`: the product's SQL, without front matter, for organizations and the lag. */
import type {
  AccessDefinition,
  AccessSource,
  HeartbeatDefinition,
  OrganizationsDefinition,
} from './access-definition.ts'
import type { DefinedFile } from './source-file.ts'
import type { Parsed } from './findings.ts'
import { checkStatement, type SqlPolicy } from './rules/check-sql.ts'
import type { SourceFile } from './source-file.ts'
import type { ParsedSql, ParseSql } from './sql/parsed-sql.ts'
import { cutAtPlaceholders, writtenSql } from './sql/sql-pieces.ts'
import { as, namesOf, nodesOf, offsetOf } from './sql/syntax-tree.ts'
import { lineAt } from './sql/text-positions.ts'

/**
 * The type of the organization's id, in a form that a cast accepts.
 * why: `pg_typeof` alone prints `character` and `bit`, and a cast to those truncates text to a length of 1. It also
 * omits the schema of a type in the keys role's search path, where the reports role may find another type.
 * @see https://www.postgresql.org/docs/current/functions-info.html `format_type`
 */
const ID_TYPE = `case
        when pg_typeof(organization_id)::oid < 16384 then format_type(pg_typeof(organization_id), -1)
        else (
            select format('%I.%I', pg_namespace.nspname, pg_type.typname)
            from pg_type
            join pg_namespace on pg_namespace.oid = pg_type.typnamespace
            where pg_type.oid = pg_typeof(organization_id)
        )
    end as organization_id_type`
const ID = 'organization_id::text as organization_id'
const TIME_ZONE = 'time_zone::text as time_zone'
/** Columns that a file may select. */
const OPTIONAL = ['organization_name', 'currency', 'reports', 'parameters']
/**
 * Those that the file selects, and null for the others: PostgreSQL looks for a name in `own` first.
 * why: only PostgreSQL knows all names, and a scope that nobody reads would let a key read everything
 */
const OPTIONAL_COLUMNS = `cross join (select ${OPTIONAL.map(name => `null::text as ${name}`).join(', ')}) as absent
cross join lateral (
    select organization_name::text, currency::text, to_jsonb(reports)::text as reports, to_jsonb(parameters)::text as parameters
    from (select organization.*) as own
) as optional`
const BY_NAME =
  'where case when $1::text is null then nickname is not null else organization_id::text = $1 or nickname = $1 end'

function selectFrom(sql: string, ...columns: readonly string[]): string {
  return `select\n    ${columns.join(',\n    ')}\nfrom (\n${sql}\n) as organization\n${OPTIONAL_COLUMNS}`
}

/**
 * The query returns key_hash, organization_id, time_zone and entitled for each of `:key_hashes` that is valid now, and
 * optionally organization_name, currency, and what the key may read: reports and parameters. It may read the clock, because its result is not cached.
 */
export function parseAccess(file: SourceFile, parse: ParseSql): Promise<Parsed<AccessDefinition>> {
  return parsePlain(file, parse, { mayReadClock: true, required: 'key_hashes' }, source => ({
    source,
    text: selectFrom(
      source.sql,
      "encode(key_hash, 'hex') as key_hash",
      ID,
      ID_TYPE,
      TIME_ZONE,
      'entitled is true as entitled',
      ...OPTIONAL.map(name => `optional.${name}`),
    ),
    // why: `pg_typeof` returns the type even if there are no rows
    idTypeText: `select ${ID_TYPE}\nfrom (select) as one\nleft join (\n${source.sql}\n) as organization on true\nlimit 1`,
  }))
}

/** The query returns organization_id, nickname, time_zone and optionally currency of every organization. Only the command line uses it. */
export function parseOrganizations(
  file: SourceFile,
  parse: ParseSql,
): Promise<Parsed<OrganizationsDefinition>> {
  return parsePlain(file, parse, { mayReadClock: true }, source => {
    const columns = [ID, ID_TYPE, TIME_ZONE, 'nickname::text as nickname', 'optional.currency']
    const everyText = selectFrom(source.sql, ...columns)
    return { source, everyText, text: `${everyText}\n${BY_NAME}` }
  })
}

/** The query returns `written_at`, the primary's last write. It may not read the clock, which advances regardless. */
export function parseHeartbeat(
  file: SourceFile,
  parse: ParseSql,
): Promise<Parsed<HeartbeatDefinition>> {
  return parsePlain(file, parse, {}, ({ sql }) => ({
    text: `select (extract(epoch from written_at) * 1000)::bigint::text as written_ms\nfrom (\n${sql}\n) as heartbeat`,
  }))
}

async function parsePlain<Value extends object>(
  { file, text, version }: SourceFile,
  parse: ParseSql,
  policy: SqlPolicy,
  valueOf: (source: AccessSource) => Value,
): Promise<Parsed<Value & DefinedFile>> {
  const placeholders = policy.required === undefined ? [] : [policy.required]
  const sql = await parse({ text, placeholders })
  const findings = checkStatement(sql, policy)
  const [statement] = sql.statements
  if (findings.length > 0 || statement === undefined) return { findings }
  const bound = writtenSql(cutAtPlaceholders(sql, statement), () => '($1::bytea[])')
  const firstLine = lineAt(text, statement.start)
  const source = { sql: bound.join(''), firstLine, lines: linesOfColumns(sql) }
  return { findings, value: { file, version, ...valueOf(source) } }
}

/** The line of each selected column, by name; the first line if several selects have the column. */
function linesOfColumns({ text, statements }: ParsedSql): Map<string, number> {
  const lines = new Map<string, number>()
  for (const target of nodesOf(statements[0]?.tree, 'ResTarget')) {
    const column = target.name ?? namesOf(as(target.val, 'ColumnRef')?.fields).at(-1)
    if (column === undefined) continue
    const line = lineAt(text, offsetOf(target.val) ?? 0)
    lines.set(column, Math.min(line, lines.get(column) ?? Infinity))
  }
  return lines
}
