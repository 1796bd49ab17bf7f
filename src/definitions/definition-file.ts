/** What reports and metrics files have in common: front matter, followed by one statement for an organization. */
import { createHash } from 'node:crypto'
import type { ValidateFunction } from 'ajv'
import type { Seconds } from '../model/terms.ts'
import { budgetOf } from './budget.ts'
import { PLACEHOLDERS, type DefinitionSource } from './definition.ts'
import { durationMs } from '../model/quantity.ts'
import type { Finding } from './findings.ts'
import { readFrontMatter, type FrontMatter } from './front-matter.ts'
import { checkStatement } from './rules/check-sql.ts'
import { DEFAULTS, MAX_TIMEOUT, MIN_MAX_LAG, type CommonMatter } from './schemas.ts'
import type { SourceFile } from './source-file.ts'
import type { ParsedSql, ParseSql } from './sql/parsed-sql.ts'
import { cutAtPlaceholders, withoutComments, type SqlPieces } from './sql/sql-pieces.ts'
import { lineAt } from './sql/text-positions.ts'
import { compileStatement } from './statement.ts'

export interface DefinitionFile<Matter> extends FrontMatter<Matter> {
  /** In front matter and SQL. */
  readonly findings: readonly Finding[]
  readonly sql: ParsedSql
}

export async function readDefinitionFile<Matter extends CommonMatter>(
  { text }: SourceFile,
  validate: ValidateFunction<Matter>,
  isOrdered: boolean,
  parse: ParseSql,
): Promise<DefinitionFile<Matter>> {
  const front = readFrontMatter(text, validate)
  const sql = await parse({ text, from: front.sqlStart, placeholders: PLACEHOLDERS })
  // why: unclosed front matter extends to the end of the file, SQL included
  const isCut = front.sqlStart === text.length && front.findings.length > 0
  const ofSql = isCut ? [] : checkStatement(sql, { required: 'organization_id', isOrdered })
  return { ...front, findings: [...front.findings, ...limitFindings(front), ...ofSql], sql }
}

function limitFindings({ matter, lineOf }: FrontMatter<CommonMatter>): Finding[] {
  const { timeout = DEFAULTS.timeout, maxLag = MIN_MAX_LAG } = matter ?? {}
  const findings: Finding[] = []
  const timeoutMs = durationMs(timeout)
  if (timeoutMs <= 0 || timeoutMs > durationMs(MAX_TIMEOUT)) {
    const message = `timeout: found ${timeout}, expected more than 0 and at most ${MAX_TIMEOUT}`
    findings.push({ line: lineOf(['timeout']), message })
  }
  if (durationMs(maxLag) < durationMs(MIN_MAX_LAG)) {
    const message = `maxLag: found ${maxLag}, expected at least ${MIN_MAX_LAG}`
    findings.push({ line: lineOf(['maxLag']), message })
  }
  return findings
}

/** Where a report's totals row comes from; by default there is none. */
interface Totals {
  readonly totals?: DefinitionSource['totals']
  readonly returnsTotals?: boolean
  readonly around?: ((statement: SqlPieces) => SqlPieces) | undefined
  readonly totalsSql?: readonly ParsedSql[]
}

/** The fields that all definitions have. @param matter of a file without findings */
export function commonOf<Matter extends CommonMatter>(
  { file, version, text }: SourceFile,
  matter: Matter,
  { sql, lineOf, sqlStart }: DefinitionFile<Matter>,
  { totals = new Map(), returnsTotals = false, around, totalsSql = [] }: Totals = {},
) {
  const { start, end } = sql.statements[0] ?? { start: text.length, end: text.length }
  const pieces = cutAtPlaceholders(sql, { start, end })
  const statement = compileStatement(pieces)
  const firstLine = lineAt(text, start)
  const { placeholders } = sql
  const ofText = { text, sqlStart, start, end, firstLine, statement, placeholders }
  const { fresh, stale = DEFAULTS.stale, maxLag, timeout = DEFAULTS.timeout, budget } = matter
  const { open, closed } = { ...DEFAULTS.fresh, ...fresh }
  return {
    file,
    version,
    statement: around === undefined ? statement : compileStatement(around(pieces)),
    statementHash: hashOf([sql, ...totalsSql]),
    freshSeconds: { open: secondsOf(open), closed: secondsOf(closed) },
    staleSeconds: secondsOf(stale),
    maxLagMs: maxLag === undefined ? undefined : durationMs(maxLag),
    timeoutMs: durationMs(timeout),
    budget: budget && budgetOf(budget),
    source: { ...ofText, matter, lineOf, totals, returnsTotals },
  }
}

function hashOf(parts: readonly ParsedSql[]): string {
  const text = parts.map(withoutComments).join('\n')
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

function secondsOf(duration: string): Seconds {
  return durationMs(duration) / 1000
}
