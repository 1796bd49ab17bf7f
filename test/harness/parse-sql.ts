/** PostgreSQL's parser for the tests of one process; it ends with them. */
import { createSqlParser, type SqlParser } from '../../src/definitions/sql/sql-parser.ts'
import type { ParsedSql, SqlSource } from '../../src/definitions/sql/parsed-sql.ts'

let parser: SqlParser | undefined

export function parseSql(source: SqlSource): Promise<ParsedSql> {
  parser ??= createSqlParser()
  return parser.parse(source)
}
