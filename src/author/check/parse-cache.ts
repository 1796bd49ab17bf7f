/** A parser that caches results: a definition is parsed as it loads and as a draft. */
import type { ParsedSql, ParseSql } from '../../definitions/sql/parsed-sql.ts'

export function parsedOnce(parse: ParseSql): ParseSql {
  const cachedBySource = new Map<string, Promise<ParsedSql>>()
  return source => {
    const key = JSON.stringify(source)
    const parsed = cachedBySource.get(key) ?? parse(source)
    cachedBySource.set(key, parsed)
    return parsed
  }
}
