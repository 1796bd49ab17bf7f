/** Executes a file of metrics. Responses are assembled from its values. */
import { inclusiveDates } from '../../definitions/calendar.ts'
import { changeOf } from '../../definitions/comparison.ts'
import type { MetricsDefinition } from '../../definitions/definition.ts'
import { currencyFields } from '../../definitions/units.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import { rawField } from '../../model/row-bytes.ts'
import type { Stop } from '../../model/stop.ts'
import type { Bytes, Instant, Metric, Period, RawField } from '../../model/terms.ts'
import type { Execute } from '../database/execute.ts'
import { forEachRow } from '../database/connection.ts'
import type { Rows } from '../database/rows.ts'
import { createJsonField, jsonText } from '../formats/json/json-field.ts'
import { statementOf, type ReportRequest } from './report-request.ts'
import { locateColumns, ResultColumnsError, observeNulled } from './result-columns.ts'
import { prepareValues } from './result-columns.ts'
import type { NulledCounts } from './result-columns.ts'

/** Code of a metric to JSON number. */
type Values = ReadonlyMap<string, RawField>

export interface MetricValues {
  readonly kind: 'metrics'
  readonly rowCount: number
  readonly values: Values
  readonly dataAsOf: Instant | undefined
  readonly byteCount: Bytes
}

export type LoadMetrics = ReturnType<typeof createLoadMetrics>

export function createLoadMetrics(options: {
  readonly execute: Execute
  readonly observe: Observe
}) {
  const { execute, observe } = options
  /** @throws as `LoadReport` */
  return (
    report: ReportRequest<MetricsDefinition>,
    stop: Stop,
    origin?: RequestOrigin,
  ): Promise<MetricValues> =>
    execute(statementOf(report, origin), stop, rows => readMetrics(report, rows, observe))
}

/**
 * Reads the result of a file of metrics.
 * @throws ResultColumnsError unless there is one row with all metrics; FieldError; as `Rows.next`
 */
async function readMetrics(
  { definition, organization }: ReportRequest<MetricsDefinition>,
  rows: Rows,
  observe: Observe,
): Promise<MetricValues> {
  const columns = locateColumns(rows.fields, definition, organization.timeZone)
  const nulledCounts: NulledCounts = new Map()
  const values = new Map<string, RawField>()
  let rowCount = 0
  const reading = forEachRow(rows, row => {
    rowCount += 1
    prepareValues(row, columns, [], nulledCounts)
    for (const [index, { code, format }] of definition.metrics.entries()) {
      const raw = rawField(row, columns[index]!.fieldIndex)
      const toJson = createJsonField(code, format, organization.timeZone)
      values.set(code, raw === null ? null : toJson(raw))
    }
  })
  if (reading !== undefined) await reading
  if (rowCount !== 1)
    throw new ResultColumnsError(`found ${rowCount} rows, expected one row in a metrics file`)
  observeNulled(observe, definition, nulledCounts)
  const byteCount = [...values.entries()].flat().join('').length
  return { kind: 'metrics', rowCount, values, dataAsOf: rows.dataAsOf, byteCount }
}

interface PeriodMetrics {
  readonly period: Period
  readonly values: Values
}

/**
 * The body of `/metrics`: `{metrics, parameters, period}`, and `compare` with a comparison.
 * @param metrics in the order of the response @param definition that any of them is of
 * @param parameters as a member with a comma
 */
export function metricsBody(
  metrics: readonly Metric[],
  definition: MetricsDefinition | undefined,
  parameters: string,
  { period, values }: PeriodMetrics,
  compared?: PeriodMetrics,
): Buffer {
  const texts = metrics.map(({ code, title, format }) => {
    const value = values.get(code)!
    const head = jsonText({ code, title }).slice(0, -1)
    const money =
      definition &&
      currencyFields({ type: format }, definition.currency, definition.product.currency)
    const text = `${head},"value":${value},${JSON.stringify({ format, ...money }).slice(1, -1)}`
    if (compared === undefined) return `${text}}`
    const before = compared.values.get(code)!
    const { change, percent } = changeOf(format, value, before)
    return `${text},"compared":${before},"change":${change},"changePercent":${percent}}`
  })
  const compare = compared && { period: inclusiveDates(compared.period) }
  const periods = JSON.stringify({ period: inclusiveDates(period), compare })
  return Buffer.from(`{"metrics":[${texts.join(',\n')}],${parameters}${periods.slice(1)}\n`)
}
