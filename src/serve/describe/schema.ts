/** Describes reports and metrics without an execution: columns, key, units, aggregation and limits. */
import { createHash } from 'node:crypto'
import type { Catalog, MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import { roleOf } from '../../definitions/column-role.ts'
import type { ColumnRole } from '../../definitions/column-role.ts'
import { COMPARISONS } from '../../definitions/comparison-period.ts'
import type { ComparisonKind } from '../../definitions/comparison-period.ts'
import { reportFault } from '../../definitions/comparison.ts'
import { unitOf, UNITS } from '../../definitions/units.ts'
import type { Unit } from '../../definitions/units.ts'
import { DATE_BASES } from '../../model/terms.ts'
import type { Aggregation, Column, Metric } from '../../model/terms.ts'
import { OFFERED_FORMATS } from '../formats/catalog.ts'

interface ColumnSchema extends Column {
  readonly unit: Unit
  /** False only if it is never null: columns of the key, and the label. */
  readonly nullable: boolean
  readonly role: ColumnRole
  readonly aggregation: Aggregation
}

export interface ReportSchema {
  readonly code: string
  readonly title: string
  readonly group: string
  readonly description: string | null
  /** The date that the period applies to. */
  readonly dateBasis: { readonly code: string; readonly title: string } | null
  /** Columns that identify a row of one organization and period. */
  readonly key: readonly string[]
  readonly columns: readonly ColumnSchema[]
  readonly limits: {
    readonly freshSeconds: { readonly open: number; readonly closed: number }
    readonly staleSeconds: number
    readonly timeoutSeconds: number
    readonly maxRows: number
  }
  readonly formats: readonly FormatSchema[]
  /** Values of the parameter `compare`; empty if the report cannot be compared. */
  readonly compare: readonly ComparisonKind[]
  /** Hash of key, columns, units and aggregation. */
  readonly shape: string
  /** Hash of the statement, without comments. */
  readonly definition: string
}

interface FormatSchema {
  readonly format: string
  readonly mediaType: string
  /** The unit of columns of type money. */
  readonly money: 'kopeck' | 'RUB'
  /** The number that stands for 15.3 %. */
  readonly percent: 15.3 | 0.153
}

export interface MetricSchema extends Metric {
  readonly unit: string | null
  readonly freshSeconds: { readonly open: number; readonly closed: number }
}

/** The body of `/reports`: what a person chooses a report by. */
export function reportList({ reports }: Catalog): object {
  const listed = Array.from(reports.values(), definition => {
    const { code, title, group, key, description = null, keywords } = definition
    return { code, title, group, key, description, dateBasis: dateBasisOf(definition), keywords }
  })
  return { reports: listed }
}

function dateBasisOf({ dateBasis }: ReportDefinition): ReportSchema['dateBasis'] {
  return dateBasis === undefined ? null : { code: dateBasis, title: DATE_BASES[dateBasis] }
}

export function reportSchema(definition: ReportDefinition): ReportSchema {
  const { code, title, group, description = null, key } = definition
  const columns = definition.columns.map(column => columnSchema(definition, column))
  const { freshSeconds, staleSeconds, timeoutMs, maxRows } = definition
  return {
    code,
    title,
    group,
    description,
    dateBasis: dateBasisOf(definition),
    key,
    columns,
    limits: { freshSeconds, staleSeconds, timeoutSeconds: timeoutMs / 1000, maxRows },
    formats: formats(),
    compare: reportFault(definition) === undefined ? COMPARISONS : [],
    shape: shapeOf([key, columns.map(shapedBy)]),
    definition: definition.statementHash,
  }
}

function columnSchema(definition: ReportDefinition, column: Column): ColumnSchema {
  const { source, key, labelColumn } = definition
  const { aggregation } = source.matter.columns[column.key]!
  const isLabelOrKey = column.key === labelColumn || key.includes(column.key)
  return {
    ...column,
    unit: unitOf(definition, column),
    nullable: !isLabelOrKey,
    role: roleOf(definition, column),
    aggregation: { rows: aggregation?.rows ?? 'none', periods: aggregation?.periods ?? 'none' },
  }
}

/** Everything but the title. */
function shapedBy({ key, type, unit, nullable, role, aggregation }: ColumnSchema): unknown[] {
  return [key, type, unit, nullable, role, aggregation]
}

function formats(): FormatSchema[] {
  return Object.entries(OFFERED_FORMATS).flatMap(([format, { mediaTypes, variant }]) => {
    const mediaType = mediaTypes[0]!
    const plain = { format, mediaType, ...(format === 'xlsx' ? ROUBLES : KOPECKS) }
    return variant?.parameter === 'preset'
      ? [plain, { format: `${format}?preset=${variant.value}`, mediaType, ...EXCEL_CSV }]
      : [plain]
  })
}

const KOPECKS = { money: 'kopeck', percent: 15.3 } as const
const ROUBLES = { money: 'RUB', percent: 0.153 } as const
const EXCEL_CSV = { money: 'RUB', percent: 15.3 } as const

export function metricsSchema({ metrics }: Catalog): {
  readonly metrics: readonly MetricSchema[]
  readonly shape: string
} {
  const list = [...metrics.values()].map(({ metric, file }) => metricSchema(metric, file))
  return {
    metrics: list,
    shape: shapeOf(list.map(({ code, format, unit }) => ({ code, format, unit }))),
  }
}

function metricSchema(
  { code, title, format }: Metric,
  { freshSeconds }: MetricsDefinition,
): MetricSchema {
  return { code, title, format, unit: UNITS[format] ?? null, freshSeconds }
}

/** A hash that is equal for equal values. */
function shapeOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
}
