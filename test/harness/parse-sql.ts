/** PostgreSQL's parser for the tests of one process; it ends with them. */
import { LRUCache } from 'lru-cache'
import { withSqlParser } from '../../src/definitions/sql/sql-parser.ts'
import type { ParsedSql, ParseSql, SqlSource } from '../../src/definitions/sql/parsed-sql.ts'

let held: Promise<ParseSql> | undefined

/** Starts the parser, which commands and gateways in this process then use, too. */
export function holdSqlParser(): Promise<ParseSql> {
  held ??= new Promise((resolve, reject) => {
    const work = (parse: ParseSql) => (resolve(parse), new Promise<never>(() => {}))
    withSqlParser(work).catch(reject)
  })
  return held
}

/** Without the cache, to measure its time. */
export async function parseSqlAnew(source: SqlSource): Promise<ParsedSql> {
  return (await holdSqlParser())(source)
}

/** why: most files of a test's folder are those of the test before it */
const parsedBySource = new LRUCache<string, Promise<ParsedSql>>({ max: 100 })

export function parseSql(source: SqlSource): Promise<ParsedSql> {
  const key = JSON.stringify(source)
  const parsed = parsedBySource.get(key) ?? parseSqlAnew(source)
  parsedBySource.set(key, parsed)
  return parsed
}
