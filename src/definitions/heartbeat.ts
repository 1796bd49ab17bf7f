/** `sql/replica/heartbeat.sql`: the product's own SQL that tells when the primary wrote last. */
import type { HeartbeatDefinition } from './definition.ts'
import type { Parsed } from './findings.ts'
import { lex, significant } from './lexer.ts'
import { checkStatement } from './rules.ts'
import { statementSql, type SourceFile } from './source-file.ts'

/** Without front matter and placeholders: one row with `written_at`. The clock would beat on a dead standby, too. */
export function parseHeartbeat({ file, text, version }: SourceFile): Parsed<HeartbeatDefinition> {
  const tokens = significant(lex(text))
  const findings = checkStatement(tokens, {
    placeholders: [],
    required: undefined,
    ordered: false,
    clock: false,
  })
  if (findings.length > 0) return { findings }
  return { findings, value: { file, version, text: inMilliseconds(statementSql(text, tokens)) } }
}

function inMilliseconds(sql: string): string {
  return `select (extract(epoch from written_at) * 1000)::bigint::text as written_ms
from (
${sql}
) as heartbeat`
}
