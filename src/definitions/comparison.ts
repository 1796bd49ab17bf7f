/** Definitions that compare two periods, made from those that do not. */
import { durationMs } from '../model/quantity.ts'
import type { Column, Metric } from '../model/terms.ts'
import { roleOf } from './column-role.ts'
import type { ComparisonKind } from './comparison-period.ts'
import { changeSql, comparedMetricsSql, comparedReportSql } from './comparison-sql.ts'
import type { Definition, MetricsDefinition, ReportDefinition } from './definition.ts'
import { MAX_TIMEOUT, type ReportMatter } from './schemas.ts'
import { placeholderIn, type SqlPieces } from './sql/sql-pieces.ts'
import { compileStatement } from './statement.ts'

export const MAX_COMPARED_ROWS = 10_000
/** PostgreSQL truncates longer names. */
const MAX_NAME_LENGTH = 63

/** Why a report cannot be compared; undefined if it can. */
export function reportFault(
  definition: ReportDefinition,
): 'today' | 'rows' | 'key' | 'columns' | undefined {
  const { maxRows, key, columns, summaryColumns } = definition
  if (usesTodayItself(definition)) return 'today'
  if (maxRows > MAX_COMPARED_ROWS) return 'rows'
  if (key.length === 0) return 'key'
  const figures = figuresOf(definition, 'year')
  const names = new Set([...columns.map(column => column.key), ...summaryColumns.keys()])
  const isBad = ({ name }: Figure) => name.length > MAX_NAME_LENGTH || names.has(name)
  return figures.length === 0 || figures.some(isBad) ? 'columns' : undefined
}

/** Whether `:today` occurs: the figures of an earlier period would be those of another day. */
export function usesTodayItself({ statement }: Definition): boolean {
  return statement.pieces.some(piece => placeholderIn(piece) === 'today')
}

type ColumnMatter = ReportMatter['columns'][string]

interface Figure {
  readonly name: string
  readonly sql: string
  readonly matter: ColumnMatter
}

const COMPARED_TITLES: Readonly<Record<ComparisonKind, string>> = {
  year: 'прошлый год',
  previous: 'прошлый период',
}

function figuresOf(definition: ReportDefinition, kind: ComparisonKind): Figure[] {
  return definition.columns
    .filter(column => roleOf(definition, column) === 'measure')
    .flatMap(({ key }) => figuresOfColumn(key, definition.source.matter.columns[key]!, kind))
}

function figuresOfColumn(
  key: string,
  { title, type, unit, aggregation = {} }: ColumnMatter,
  kind: ComparisonKind,
): Figure[] {
  const { change, percent } = changeSql(key, aggregation.rows === 'sum')
  const figure = (
    suffix: string,
    words: string,
    sql: string,
    matter: Omit<ColumnMatter, 'title'>,
  ): Figure => ({
    name: `${key}_${suffix}`,
    sql,
    matter: { title: `${title}, ${words}`, ...matter },
  })
  const same: Omit<ColumnMatter, 'title'> = {
    type,
    ...(unit === undefined ? {} : { unit }),
    // why: the months before two months are not those before each of them
    aggregation: kind === 'year' ? aggregation : { ...aggregation, periods: 'none' },
  }
  const compared = figure('compared', COMPARED_TITLES[kind], `compared."${key}"`, same)
  if (type === 'percent') {
    const points = { type: 'number', unit: 'percentage_point' } as const
    return [compared, figure('change', 'изменение, п. п.', change, points)]
  }
  return [
    compared,
    figure('change', 'изменение', change, same),
    figure('change_percent', 'изменение, %', percent, { type: 'percent' }),
  ]
}

const reports = new WeakMap<ReportDefinition, Map<ComparisonKind, ReportDefinition>>()

/** The report with columns for the comparison. @param definition without a `reportFault` */
export function compareReport(
  definition: ReportDefinition,
  kind: ComparisonKind,
): ReportDefinition {
  const known = reports.get(definition) ?? new Map<ComparisonKind, ReportDefinition>()
  reports.set(definition, known)
  const report = known.get(kind) ?? createReport(definition, kind)
  known.set(kind, report)
  return report
}

function createReport(definition: ReportDefinition, kind: ComparisonKind): ReportDefinition {
  const { columns, source } = definition
  const figures = figuresOf(definition, kind)
  const added = figures.map(({ name, matter: { title, type } }): Column => ({
    key: name,
    title,
    type,
  }))
  const dimensions = columns.filter(column => roleOf(definition, column) !== 'measure')
  const addedMatter = Object.fromEntries(figures.map(({ name, matter }) => [name, matter]))
  const matter = { ...source.matter, columns: { ...source.matter.columns, ...addedMatter } }
  return {
    ...definition,
    ...executedTwice(definition, kind, comparedReportSql(definition, figures)),
    columns: [...columns, ...added],
    comparison: { plain: definition, columns: [...dimensions, ...added] },
    source: { ...source, matter },
  }
}

function executedTwice({ version, timeoutMs }: Definition, kind: string, sql: SqlPieces) {
  return {
    version: `${version} ${kind}`,
    statement: compileStatement(sql),
    timeoutMs: Math.min(2 * timeoutMs, durationMs(MAX_TIMEOUT)),
  }
}

const metricsFiles = new WeakMap<MetricsDefinition, MetricsDefinition>()

export function compareMetrics(definition: MetricsDefinition): MetricsDefinition {
  const compared = metricsFiles.get(definition) ?? createMetrics(definition)
  metricsFiles.set(definition, compared)
  return compared
}

function createMetrics(definition: MetricsDefinition): MetricsDefinition {
  const ofMetrics = definition.metrics.map(figuresOfMetric)
  const all = ofMetrics.flatMap(figures => Object.values(figures))
  const sql = comparedMetricsSql(
    definition,
    all.map(({ code, sql }) => ({ name: code, sql })),
  )
  return {
    ...definition,
    ...executedTwice(definition, 'compared', sql),
    metrics: [...definition.metrics, ...all],
    figures: new Map(definition.metrics.map(({ code }, at) => [code, ofMetrics[at]!])),
  }
}

interface MetricFigure extends Metric {
  readonly sql: string
}

/** @param at of the metric in its file: a name with its code might be too long */
function figuresOfMetric(
  { code, title, format }: Metric,
  at: number,
): Record<'compared' | 'change' | 'changePercent', MetricFigure> {
  const { change, percent } = changeSql(code, false)
  const figure = (name: string, format: Metric['format'], sql: string): MetricFigure => ({
    code: `#${at}.${name}`,
    title,
    format,
    sql,
  })
  const isPercent = format === 'percent'
  return {
    compared: figure('compared', format, `compared."${code}"`),
    change: figure('change', isPercent ? 'number' : format, change),
    changePercent: figure('percent', 'percent', isPercent ? 'null::numeric' : percent),
  }
}
