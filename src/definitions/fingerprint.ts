/**
 * The fingerprint of a report: a select in front matter, whose rows must differ if those of the report do. It reads
 * fewer or narrower rows than the report, so that a loader learns cheaply whether a month has changed.
 */
import { PLACEHOLDERS } from './definition.ts'
import type { Placeholder, ReportDefinition, Statement } from './definition.ts'
import type { ReportMatter } from './schemas.ts'
import { checkStatement } from './rules/check-sql.ts'
import type { ParsedSql, ParseSql } from './sql/parsed-sql.ts'
import { cutAtPlaceholders, type SqlPieces } from './sql/sql-pieces.ts'
import { compileStatement } from './statement.ts'
import { selectedNames } from './totals.ts'

export interface FingerprintStatements {
  /** One row with the column `FACTS_COLUMN`. */
  readonly alone: Statement
  /**
   * The report, with `FACTS_COLUMN` in the totals row if there are at least `LARGE_ROWS` rows: one statement, so that
   * both are of one snapshot. Undefined if there are never so many, or the totals row does not count them.
   */
  readonly withRows: Statement | undefined
}

export const FINGERPRINT_KINDS = ['aggregate', 'executed', null] as const
/**
 * `aggregate`: the definition's own; `executed`: each month costs an execution of the report; null: only a new request
 * shows the current rows.
 */
export type FingerprintKind = (typeof FINGERPRINT_KINDS)[number]

export function fingerprintKind({
  fingerprint,
  statement,
}: Pick<ReportDefinition, 'fingerprint' | 'statement'>): FingerprintKind {
  if (fingerprint !== undefined) return 'aggregate'
  return statement.usesClock ? null : 'executed'
}

/** JSON of `FactHash[]`. The sign is in no column's name. */
export const FACTS_COLUMN = '#facts'

/** A month of the fingerprint's rows. `month` is `2026-01`, or null for rows that concern all months. */
export type FactHash = readonly [month: string | null, isHistory: boolean, hash: string]

/** A response of fewer rows can be cached, unless rows have more than 400 bytes (8 MiB by default). */
const LARGE_ROWS = 20_000

const DAY = 'day'
const HISTORY = 'is_history'
/** For messages about a fingerprint that PostgreSQL refuses. */
export const FINGERPRINT_EXPECTED = `what the database can plan, with a date as "${DAY}"`
/** They differ between months of one execution, and the gateway adds `:as_of` itself. */
const OF_TODAY: readonly Placeholder[] = ['today', 'as_of', 'now']

export async function parseFingerprint(
  { fingerprint: text }: ReportMatter,
  parse: ParseSql,
): Promise<ParsedSql | undefined> {
  return text === undefined ? undefined : parse({ text, placeholders: PLACEHOLDERS })
}

/** @param reportUsesClock whether the rows of the report depend on `:today` or `:now` */
export function fingerprintFaults(sql: ParsedSql, reportUsesClock: boolean): string[] {
  const faults = checkStatement(sql, { required: 'organization_id' })
  if (faults.length > 0) return faults.map(({ line, message }) => `${message} (its line ${line})`)
  const names = selectedNames(sql)
  const ofToday = sql.placeholders.find(({ name }) => OF_TODAY.some(one => one === name))
  return [
    ...(names.includes(DAY) && !names.includes('*')
      ? []
      : [`selects ${names.join(', ')}; expected columns by name, one of them "${DAY}"`]),
    ...(ofToday === undefined
      ? []
      : [`:${ofToday.name} differs between months, expected placeholders of the period`]),
    ...(reportUsesClock ? ['the rows depend on :today or :now, expected :as_of'] : []),
  ]
}

/** @param report the report's statement with its totals row */
export function fingerprintStatements(
  sql: ParsedSql,
  report: SqlPieces,
  { isCounted, maxRows }: { readonly isCounted: boolean; readonly maxRows: number },
): FingerprintStatements {
  const facts = factsOf(cutAtPlaceholders(sql, sql.statements[0]!), selectedNames(sql))
  const withRows = [
    `select report.*,
    case when report.is_total and report.row_count >= ${LARGE_ROWS} then (`,
    ...facts,
    `) end as "${FACTS_COLUMN}"\nfrom (\n`,
    ...report,
    '\n) as report',
  ]
  return {
    alone: compileStatement(['select (', ...facts, `) as "${FACTS_COLUMN}"`]),
    withRows: isCounted && maxRows > LARGE_ROWS ? compileStatement(withRows) : undefined,
  }
}

/**
 * A select of one value. Two sums of 64-bit hashes for each month do not depend on the order of rows.
 * why: `sum` of bigint is exact; the text of a row is unambiguous. `tsrange` rejects an instant, whose day would be that
 * of the session's time zone
 */
function factsOf(statement: SqlPieces, names: readonly string[]): SqlPieces {
  const history = names.includes(HISTORY) ? `coalesce("#fact"."${HISTORY}", false)` : 'false'
  return [
    `select coalesce(json_agg(
        json_build_array(months.month, months.is_history, months.hash) order by months.month collate "C", months.is_history
    ), '[]')::text
from (
    select
        left(lower(tsrange("#fact"."${DAY}", null))::date::text, 7) as month,
        ${history} as is_history,
        concat_ws(' ', count(*), sum(hashtextextended("#fact"::text, 0)), sum(hashtextextended("#fact"::text, 1))) as hash
    from (\n`,
    ...statement,
    '\n    ) as "#fact"\n    group by 1, 2\n) as months',
  ]
}
