/** `sql/access/`: the product's own SQL that finds organizations, by key hashes or by name. */
import type { AccessDefinition, OrganizationsDefinition } from './definition.ts'
import type { Parsed } from './findings.ts'
import { lex, significant } from './lexer.ts'
import { checkStatement } from './rules.ts'
import { statementSql, type SourceFile } from './source-file.ts'

const PLACEHOLDER = 'key_hashes'

/**
 * The file has no front matter. Its select gives key_hash, organization_id, time_zone and entitled
 * for each of `:key_hashes` that is valid now; it may read the clock, for nothing remembers its answer.
 */
export function parseAccess({ file, text, version }: SourceFile): Parsed<AccessDefinition> {
  const tokens = significant(lex(text))
  const findings = checkStatement(tokens, {
    placeholders: [PLACEHOLDER],
    required: PLACEHOLDER,
    ordered: false,
    clock: true,
  })
  if (findings.length > 0) return { findings }
  const sql = bindHashes(statementSql(text, tokens))
  return { findings, value: { file, version, text: withTypes(sql), idTypeText: idTypeOnly(sql) } }
}

/**
 * `sql/access/organizations.sql`, without front matter and placeholders: organization_id, nickname and time_zone of
 * every organization. Only the command line asks it.
 */
export function parseOrganizations({
  file,
  text,
  version,
}: SourceFile): Parsed<OrganizationsDefinition> {
  const tokens = significant(lex(text))
  const rules = { placeholders: [], required: undefined, ordered: false, clock: true }
  const findings = checkStatement(tokens, rules)
  if (findings.length > 0) return { findings }
  const everyText = everyOrganization(statementSql(text, tokens))
  return { findings, value: { file, version, everyText, text: `${everyText}\n${BY_NAME}` } }
}

/**
 * The type of the organization's id, as a cast takes it.
 * why: `pg_typeof` alone prints `character` and `bit`, and a cast to those cuts a text to a length of 1. It also
 * leaves out the schema of a type that the role of keys finds without, where the role of reports may find another.
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
    end`

function everyOrganization(sql: string): string {
  return `select
    organization_id::text as organization_id,
    ${ID_TYPE} as organization_id_type,
    nickname::text as nickname,
    time_zone::text as time_zone
from (
${sql}
) as organization`
}

const BY_NAME =
  'where case when $1::text is null then nickname is not null else organization_id::text = $1 or nickname = $1 end'

function bindHashes(sql: string): string {
  const bound = lex(sql).filter(({ kind }) => kind === 'placeholder')
  return bound.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)}($1::bytea[])${text.slice(end)}`,
    sql,
  )
}

/** The type of the organization's id decides what `:organization_id` is cast to. */
function withTypes(sql: string): string {
  return `select
    key_hash,
    organization_id::text as organization_id,
    ${ID_TYPE} as organization_id_type,
    time_zone::text as time_zone,
    entitled
from (
${sql}
) as organization`
}

/** `pg_typeof` knows the type of a column that has no row, too. */
function idTypeOnly(sql: string): string {
  return `select ${ID_TYPE} as organization_id_type
from (select) as one
left join (
${sql}
) as organization on true
limit 1`
}
