/** Finds aggregates over duplicated rows (fan-out), by the parse tree and unique keys, or by the data. */
import { escapeIdentifier } from 'pg'
import type { Finding } from '../../definitions/findings.ts'
import type { ParsedSql } from '../../definitions/sql/parsed-sql.ts'
import { cutAtPlaceholders, type SqlPieces } from '../../definitions/sql/sql-pieces.ts'
import { rowsOf, type RowsOf } from '../../definitions/tenant-rows.ts'
import { duplicatedRows, type DuplicatedRows } from '../sql/duplicated-rows.ts'
import { numberOf } from '../sql/expressions.ts'
import { keywordBefore } from '../sql/keyword-before.ts'
import { rangeOf, sqlTextOf } from '../sql/sql-text.ts'
import type { Relation } from '../sql/relations.ts'
import type { SeveralRows } from '../sql/several-rows.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Question } from './questions.ts'
import { isRefusal, orRefusal, unlessRefused } from './session.ts'
import { queryOf, statementOver, type PreparedSubject } from './subject.ts'

/** One finding per join that duplicates rows. */
export async function checkFanOut(
  subject: PreparedSubject,
  questions: readonly Question[],
): Promise<Finding[]> {
  const { definition, draft, product, hasTotals } = subject
  const bound = new Set(
    definition.source.tables.flatMap(({ tenancy }) =>
      tenancy.kind === 'tenant' ? [tenancy.column] : [],
    ),
  )
  const { statement, totals } = draft
  const all = [statement, ...(hasTotals ? totals : [])].flatMap(part =>
    duplicatedRows(part.query, product.findTable, bound).map(found => ({ found, part })),
  )
  const reported: typeof all = []
  for (const { found, part } of all) {
    const { rows, by, proof } = found
    // why: if two relations duplicate each other, one finding is enough
    const isKnown = reported.some(
      one => one.found.by === by || (one.found.by === rows && one.found.rows === by),
    )
    if (isKnown) continue
    const isShown = part === statement && (await showsDuplicates(found, subject, questions))
    if (isShown || (proof !== undefined && !(await looksUnique(proof, subject))))
      reported.push({ found, part })
  }
  return reported.map(({ found, part }) => ({
    line: statement.line(found.by.offset),
    message: messageOf(found, part.written({ FuncCall: found.call.node })),
  }))
}

function messageOf({ rows, by, call, isCountOfPairs }: DuplicatedRows, text: string): string {
  if (isCountOfPairs)
    return `this join pairs rows of ${rows.alias} with rows of ${by.alias}, and ${text} counts every pair, expected one of them counted before the join`
  const effect = EFFECTS[call.name] ?? 'takes each of them'
  return `this join multiplies rows of ${rows.alias} by those of ${by.alias}, and ${text} ${effect}, expected them aggregated before the join`
}

const EFFECTS: Readonly<Record<string, string>> = {
  sum: 'adds each of them',
  count: 'counts each of them',
  avg: 'averages all of them',
}

/**
 * Whether an organization's data show duplicated rows. The query takes the square root of (distinct rows - all rows):
 * if rows are duplicated, PostgreSQL rejects the root of a negative number.
 */
async function showsDuplicates(
  { call, rows, by, isDirect, isCountOfPairs }: DuplicatedRows,
  subject: PreparedSubject,
  questions: readonly Question[],
): Promise<boolean> {
  const { sql } = subject.draft.statement
  const counted = isCountOfPairs ? [rows, by] : [rows]
  const rowIds = counted.flatMap(relation => rowIdOf(relation, sql) ?? [])
  const isIdentified = rowIds.length === counted.length && call.node.over === undefined
  if (!isDirect || !isIdentified) return false
  const { start, end } = rangeOf(sql, { FuncCall: call.node })
  const condition = call.node.agg_filter
  const filter = condition
    ? cutAtPlaceholders(sql, { start: keywordBefore(sql, condition, 'filter'), end })
    : []
  const duplicateCounts = rowIds.flatMap((rowId, at): SqlPieces => {
    const distinct = `${at === 0 ? '' : ', '}count(distinct ${rowId}) `
    return ([distinct] as SqlPieces).concat(filter, ` - count(${rowId}) `, filter)
  })
  const withIds = rowsOf(subject.product.tenancy.tables, ['tableoid', 'ctid'])
  const rowsWithIds: RowsOf = (table, children) =>
    (counted.some(({ name }) => name === table.name) ? withIds : subject.rowsOf)(table, children)
  const statement = statementOver(subject, rowsWithIds, [
    {
      start,
      pieces: ['case when sqrt(greatest(', ...duplicateCounts, ')::float8) = 0 then '],
    },
    { start: end, pieces: [' end'] },
  ])
  for (const question of questions) {
    const result = await orRefusal(subject.session.query(queryOf(subject, question, statement)))
    if (isRefusal(result) && result.code === NEGATIVE_ROOT) return true
  }
  return false
}

/** An expression that identifies a row of the relation; null where a left join found no row. */
function rowIdOf(relation: Relation, sql: ParsedSql): string | undefined {
  const alias = escapeIdentifier(relation.alias)
  if (relation.kind === 'table') {
    return `(case when ${alias}.ctid is not null then (${alias}.tableoid, ${alias}.ctid) end)`
  }
  const [select, ...others] = relation.query?.selects ?? []
  const written = new Set(select?.items.map(({ expression }) => sqlTextOf(sql, expression)))
  const groups = select?.node.groupClause ?? []
  const isOfGroups = groups.every(
    group => numberOf(group) !== undefined || written.has(sqlTextOf(sql, group)),
  )
  const isIdentified = groups.length > 0 && isOfGroups && others.length === 0
  return isIdentified ? `${alias}.*` : undefined
}

/** invalid_argument_for_power_function */
const NEGATIVE_ROOT = '2201F'
/** Fewer rows may be unique by chance. */
const ENOUGH_ROWS = 20
const SAMPLE_MS: Milliseconds = 5000

/** Whether the columns have unique values in the data, although there is no unique index on them. */
async function looksUnique(
  { table: relation, columns }: SeveralRows,
  { product, session }: PreparedSubject,
): Promise<boolean> {
  const table = product.findTable(relation)
  if (table === undefined || columns.length === 0) return false
  const from = `${escapeIdentifier(table.schema)}.${escapeIdentifier(table.name)}`
  const list = columns.map(part => escapeIdentifier(part)).join(', ')
  const text = `
    select count(*), count(distinct row(${list}))
    from (select ${list} from ${from} where row(${list}) is not null limit 10000) as sample`
  const result = await unlessRefused(session.query({ text, values: [], timeoutMs: SAMPLE_MS }))
  const [all, distinct] = result?.rows[0] ?? []
  return Number(all) >= ENOUGH_ROWS && all === distinct
}
