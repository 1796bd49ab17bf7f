/** `sql/access/organization_by_key.sql`: the product's own SQL that finds organizations by key hashes. */
import type { AccessDefinition } from './definition.ts'
import type { Parsed } from './findings.ts'
import { lex, significant } from './lexer.ts'
import { checkStatement } from './rules.ts'
import { statementSql, type SourceFile } from './source-file.ts'

const PLACEHOLDER = 'key_hashes'

/**
 * The file has no front matter. Its select gives key_hash, organization_id, time_zone and entitled
 * for each of `:key_hashes` that is valid now; it may read the clock, for nothing remembers its answer.
 */
export function parseAccess({ file, text }: SourceFile): Parsed<AccessDefinition> {
  const tokens = significant(lex(text))
  const findings = checkStatement(tokens, {
    placeholders: [PLACEHOLDER],
    required: PLACEHOLDER,
    ordered: false,
    clock: true,
  })
  if (findings.length > 0) return { findings }
  const sql = bindHashes(statementSql(text, tokens))
  return { findings, value: { file, text: withTypes(sql), idTypeText: idTypeOnly(sql) } }
}

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
    pg_typeof(organization_id)::text as organization_id_type,
    time_zone::text as time_zone,
    entitled
from (
${sql}
) as organization`
}

/** `pg_typeof` knows the type of a column that has no row, too. */
function idTypeOnly(sql: string): string {
  return `select pg_typeof(organization_id)::text as organization_id_type
from (select) as one
left join (
${sql}
) as organization on true
limit 1`
}
