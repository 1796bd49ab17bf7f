/** Describes reports and metrics without an execution: columns, key, units, aggregation and limits. */
import { hashOf } from '../../definitions/source-file.ts'
import type { Catalog, ReportDefinition } from '../../definitions/definition.ts'
import { targetOf } from '../../definitions/report-link.ts'
import { roleOf } from '../../definitions/column-role.ts'
import { COMPARISONS } from '../../definitions/comparison-period.ts'
import { isComparable } from '../../definitions/comparison.ts'
import { currencyFields, unitOf, UNIT_OF_ROWS, unitOfType } from '../../definitions/units.ts'
import { unitOfMoney } from '../../model/currency.ts'
import type { Column } from '../../model/terms.ts'
import { parameterFields } from './parameters.ts'
import { mediaTypeOf, OFFERED_FORMATS } from '../formats/catalog.ts'
import { textsIn } from '../../texts/texts.ts'

export type ReportSchema = ReturnType<typeof reportSchema>

/** The body of `/reports`: what a person chooses a report by, in the order of use. */
export function reportList({ reports }: Pick<Catalog, 'reports'>): object {
  const ordered = [...reports.values()].toSorted((a, b) => a.position - b.position)
  const listed = ordered.map(each => Object.assign(listEntryOf(each), { keywords: each.keywords }))
  return { reports: listed }
}

function listEntryOf(definition: ReportDefinition) {
  const { code, title, group, key, description = null, dateBasis: basis } = definition
  const { formats } = textsIn(definition.product.language)
  /** The date that the period applies to. */
  const dateBasis = basis === undefined ? null : { code: basis, title: formats.dateBases[basis] }
  return { code, title, group, key, description, dateBasis }
}

/** @param reports that a link may lead to */
export function reportSchema(definition: ReportDefinition, reports: Catalog['reports']) {
  const { key } = definition
  const columns = definition.columns.map(column => columnSchema(definition, column, reports))
  const { freshSeconds, staleSeconds, timeoutMs, maxRows } = definition
  const { link } = definition.source.matter
  return {
    ...listEntryOf(definition),
    columns,
    chart: definition.chart ?? null,
    ...(link !== undefined && { link }),
    limits: { freshSeconds, staleSeconds, timeoutSeconds: timeoutMs / 1000, maxRows },
    formats: formatsOf(definition),
    compare: isComparable(definition) ? COMPARISONS : [],
    ...(definition.parameters.length > 0 && {
      parameters: definition.parameters.map(parameterFields),
    }),
    /** Hash of key, columns, units and aggregation, without titles. */
    shape: shapeOf([key, columns.map(shapedBy)]),
    /** Hash of the statement, without comments. */
    definition: definition.statementHash,
  }
}

function columnSchema(definition: ReportDefinition, column: Column, reports: Catalog['reports']) {
  const { key, title, type } = column
  const { source, labelColumn, currency } = definition
  const { aggregation, link } = source.matter.columns[key]!
  const { rows = 'none', periods = 'none' } = aggregation ?? {}
  return {
    key,
    title,
    type,
    unit: unitOf(definition, column),
    ...currencyFields(column, currency),
    /** False only if it is never null: columns of the key, and the label. */
    nullable: key !== labelColumn && !definition.key.includes(key),
    role: roleOf(definition, column),
    aggregation: { rows, periods },
    ...(link !== undefined && reports.has(targetOf(link)!) && { link }),
  }
}

function shapedBy(column: ReturnType<typeof columnSchema>): unknown[] {
  const { key, type, unit, nullable, role, aggregation } = column
  return [key, type, unit, nullable, role, aggregation]
}

/** Each with the unit of columns of type money, and the number that stands for 15.3 %. */
function formatsOf({ columns, currency }: ReportDefinition): object[] {
  const isOfRows = columns.some(({ currency: own }) => own !== undefined && 'column' in own)
  const major = isOfRows ? 'unit of the currency' : currency.code
  const minor = isOfRows ? UNIT_OF_ROWS : unitOfMoney(currency)
  return Object.entries(OFFERED_FORMATS).flatMap(([format, { variant, format: offered }]) => {
    const mediaType = mediaTypeOf(offered)
    const units =
      format === 'xlsx' ? { money: major, percent: 0.153 } : { money: minor, percent: 15.3 }
    const plain = { format, mediaType, ...units }
    if (variant?.parameter !== 'preset') return [plain]
    const preset = `${format}?preset=${variant.value}`
    return [plain, { format: preset, mediaType, money: major, percent: 15.3 }]
  })
}

export function metricsSchema({ metrics }: Pick<Catalog, 'metrics'>) {
  const list = Array.from(metrics.values(), ({ metric, file: { currency, freshSeconds } }) => {
    const { code, title, format } = metric
    const unit = unitOfType(format, currency)
    return {
      code,
      title,
      format,
      unit,
      ...currencyFields({ type: format }, currency),
      freshSeconds,
    }
  })
  const shape = shapeOf(list.map(({ code, format, unit }) => ({ code, format, unit })))
  return { metrics: list, shape }
}

/** A hash that is equal for equal values. */
function shapeOf(value: object): string {
  return hashOf(JSON.stringify(value))
}
