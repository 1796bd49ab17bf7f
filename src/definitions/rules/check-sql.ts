/** Checks parsed SQL against all load-time rules and returns all findings. */
import type { Finding } from '../findings.ts'
import { isolate } from '../isolate.ts'
import type { ParsedSql } from '../sql/parsed-sql.ts'
import { columnAt, lineAt } from '../sql/text-positions.ts'
import type { Tenancy } from '../tenancy.ts'
import { loneExpression, noSubquery } from './aggregate.ts'
import { missingPlaceholder, PLACEHOLDER_RULES, unknownPlaceholders } from './placeholders.ts'
import { READ_ONLY_RULES } from './read-only.ts'
import { CALL_RULES, CLOCK_RULES } from './rejected-calls.ts'
import { noOrder, notSelect, secondStatement } from './single-select.ts'
import type { SqlFault } from './sql-rule.ts'
import { FIGURE_RULES } from './wrong-figures.ts'

/** Rules that differ by kind of file. */
export interface SqlPolicy {
  /** A placeholder that the statement must have. */
  readonly required?: string | undefined
  /** Whether the front matter cannot be read, so that any placeholder may be a parameter. */
  readonly namesUnknown?: boolean
  /** Whether the order of the rows is part of the result. */
  readonly isOrdered?: boolean
  /** Whether it may read the server's clock: the key look-up may, because its result is not cached. */
  readonly mayReadClock?: boolean
}

const OF_ALL_SQL = [...PLACEHOLDER_RULES, ...READ_ONLY_RULES, ...CALL_RULES, ...FIGURE_RULES]

/** Findings in the statement, at lines of the file. */
export function checkStatement(sql: ParsedSql, policy: SqlPolicy): Finding[] {
  const { text, error, statements } = sql
  const { required, isOrdered = false, mayReadClock = false, namesUnknown = false } = policy
  if (error === undefined && statements.length === 0) {
    return [{ line: 1, message: 'no SQL, expected one select' }]
  }
  // why: a statement other than a select would fail most rules
  const other = error === undefined ? notSelect(sql) : [syntaxFault(sql, error)]
  const rules = [
    ...OF_ALL_SQL,
    ...(namesUnknown ? [] : [unknownPlaceholders]),
    ...(mayReadClock ? [] : CLOCK_RULES),
    secondStatement,
    ...(required === undefined ? [] : [missingPlaceholder(required)]),
    ...(isOrdered ? [noOrder] : []),
  ]
  const faults = other.length > 0 ? other : rules.flatMap(rule => rule(sql))
  return findingsAt(text, faults)
}

export function findingsAt(text: string, faults: readonly SqlFault[]): Finding[] {
  return faults.map(({ offset, message }) => ({ line: lineAt(text, offset), message }))
}

/** Findings in the expression of a total. */
export function checkTotal(sql: ParsedSql, tenancy: Tenancy): string[] {
  const rules = [...OF_ALL_SQL, unknownPlaceholders, ...CLOCK_RULES, noSubquery, loneExpression]
  const faults =
    sql.error === undefined
      ? [...rules.flatMap(rule => rule(sql)), ...isolate(sql, tenancy).faults]
      : [syntaxFault(sql, sql.error)]
  return faults.map(({ message }) => message)
}

/**
 * why: if PostgreSQL 18's parser rejects a statement, its placeholders cannot be bound. An older server may accept the
 * SQL, so the message names the parser's version.
 */
function syntaxFault({ text }: ParsedSql, error: NonNullable<ParsedSql['error']>): SqlFault {
  const { message, offset, isUnclosed } = error
  if (message.includes(', expected ')) return error
  const [, expected = ACCEPTED] = isUnclosed
    ? ['', 'every quote and comment to be closed']
    : (EXPECTED.find(([found]) => message.startsWith(found)) ?? [])
  const position = `(column ${columnAt(text, offset)})`
  return { offset, message: `${shortened(message)} ${position}, expected ${expected}` }
}

const ACCEPTED =
  "what PostgreSQL 18's parser accepts, where a reserved word that is a name stands in quotes"

/** Hints for PostgreSQL's least helpful messages. */
const EXPECTED = [
  ['syntax error at or near ":"', 'a blank before a placeholder and its name right behind its ":"'],
  ['syntax error at end of input', 'more: is every bracket closed?'],
] as const

/** why: for an unclosed quote, PostgreSQL's message contains the rest of the text */
function shortened(message: string): string {
  const [line = ''] = message.split('\n', 1)
  const isCut = line.length < message.length || line.length > 80
  return isCut ? `${line.slice(0, 80)} ..."` : message
}
