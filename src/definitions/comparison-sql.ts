/**
 * Statements that execute a definition for two periods. One statement contains it twice, so that both periods are of
 * one snapshot; PostgreSQL matches the rows and subtracts.
 */
import { roleOf } from './column-role.ts'
import type { MetricsDefinition, ReportDefinition } from './definition.ts'
import type { SqlPieces } from './sql/sql-pieces.ts'
import { overComparison } from './statement.ts'

/** A column that the comparison adds. */
export interface FigureSql {
  readonly name: string
  readonly sql: string
}

/**
 * The totals row is the first one; then come the rows of the requested period in their order, and those that only the
 * comparison period has, marked by `#compared_only`. `#` is the number of a row, from 1. No column is called so.
 */
export function comparedReportSql(
  definition: ReportDefinition,
  figures: readonly FigureSql[],
): SqlPieces {
  const { statement, columns, summaryColumns } = definition
  const keys = new Set(columns.map(({ key }) => key))
  const facts = [...summaryColumns.keys()].filter(name => !keys.has(name))
  const outputs = [
    ...columns.map(column => {
      const [requested, compared] = [`requested."${column.key}"`, `compared."${column.key}"`]
      if (roleOf(definition, column) === 'measure') return requested
      return `case when requested."#" is null then ${compared} else ${requested} end as "${column.key}"`
    }),
    ...facts.map(name => `requested."${name}"`),
    ...figures.map(({ name, sql }) => `${sql} as "${name}"`),
  ]
  return [
    'select coalesce(requested.is_total, compared.is_total) as is_total,\n',
    'requested."#" is null as "#compared_only",\n',
    // why: if keys are not unique, the join multiplies rows; this count is wrong then, which is an error
    'case when requested.is_total then least(\n',
    'max(requested."#") over () - 1 + count(*) filter (where requested."#" is null) over (),\n',
    'max(compared."#") over () - 1 + count(*) filter (where compared."#" is null) over ()\n',
    `) end as row_count,\n${outputs.join(',\n')}\nfrom `,
    ...numbered(statement.pieces),
    ' as requested\nfull join ',
    ...numbered(overComparison(statement.pieces)),
    ' as compared\non coalesce(requested.is_total, false) = coalesce(compared.is_total, false)',
    ...matchSql(definition),
    '\norder by 1 desc, requested."#", compared."#"',
  ]
}

function numbered(sql: SqlPieces): SqlPieces {
  const head = '(select report.*, row_number() over () as "#" from (\n'
  return [head, ...sql, '\n) as report)']
}

/** Equal keys; months by their position in the period. A full join takes only equations of its two sides. */
function matchSql({ key, columns }: ReportDefinition): SqlPieces {
  const types = new Map(columns.map(column => [column.key, column.type]))
  const keyOf = (side: string, start: string, name: string): SqlPieces => {
    const value = `${side}."${name}"::text`
    return [
      // why: the key of a totals row may be anything
      `coalesce(case when ${side}.is_total then null else `,
      ...(types.get(name) === 'month' ? monthPosition(value, start) : [value]),
      ` end, '') collate "C"`,
    ]
  }
  return key.flatMap(name => [
    '\nand ',
    ...keyOf('requested', 'period_start', name),
    ' = ',
    ...keyOf('compared', 'compared_period_start', name),
  ])
}

/** Months since the first one of the period, as text. @param value such as `2026-03` */
function monthPosition(value: string, start: string): SqlPieces {
  const part = (number: number) => `split_part(${value}, '-', ${number})::integer`
  const day = { placeholder: start }
  return [
    `((${part(1)} - extract(year from `,
    day,
    `)) * 12 + ${part(2)} - extract(month from `,
    day,
    '))::text',
  ]
}

/** One row, with the metrics of the requested period and the figures. */
export function comparedMetricsSql(
  { metrics, statement }: MetricsDefinition,
  figures: readonly FigureSql[],
): SqlPieces {
  const outputs = [
    ...metrics.map(({ code }) => `requested."${code}"`),
    ...figures.map(({ name, sql }) => `${sql} as "${name}"`),
  ]
  return [
    `select ${outputs.join(',\n')}\nfrom (\n`,
    ...statement.pieces,
    '\n) as requested\ncross join (\n',
    ...overComparison(statement.pieces),
    '\n) as compared',
  ]
}

/**
 * The change from the comparison period, absolute and in percent of the compared value's amount.
 * @param countsMissing a missing row is 0, so that the changes of rows add up to the change of the total
 */
export function changeSql(
  name: string,
  countsMissing: boolean,
): { readonly change: string; readonly percent: string } {
  const valueOf = (side: string) =>
    countsMissing
      ? `case when ${side}."#" is null then 0 else ${side}."${name}" end`
      : `${side}."${name}"`
  const change = `(${valueOf('requested')})::numeric - ${valueOf('compared')}`
  const amount = `nullif(abs(compared."${name}"::numeric), 0)`
  return { change, percent: `round(100.00000000000000000000 * (${change}) / ${amount}, 1)` }
}
