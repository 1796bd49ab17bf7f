/** Executes a file of metrics. Responses are assembled from its values. */
import { inclusiveDates } from '../../definitions/calendar.ts'
import { changeOf } from '../../definitions/comparison.ts'
import type { MetricsDefinition } from '../../definitions/definition.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import { rawField, createRowReader } from '../../model/row-bytes.ts'
import type { Stop } from '../../model/stop.ts'
import type { Bytes, Instant, Metric, Period, RawField } from '../../model/terms.ts'
import type { Execute } from '../database/execute.ts'
import type { ResultHead } from '../database/result-reader.ts'
import { createJsonField } from '../formats/json/json-field.ts'
import { jsonText } from '../formats/json/json-text.ts'
import { observeNulled, prepareValues } from './nulled-values.ts'
import type { NulledCounts } from './nulled-values.ts'
import { statementOf } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import { locateColumns, ResultColumnsError } from './result-columns.ts'

/** By metric code, as JSON numbers. */
type Values = ReadonlyMap<string, RawField>

export interface MetricValues {
  readonly kind: 'metrics'
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
  return async (
    request: ReportRequest<MetricsDefinition>,
    stop: Stop,
    origin?: RequestOrigin,
  ): Promise<MetricValues> => {
    const statement = statementOf(request, origin)
    const reading = await execute(statement, stop, head => readMetrics(request, head))
    const { values, dataAsOf, nulledCounts } = reading
    observeNulled(observe, request.definition, nulledCounts)
    const byteCount = [...values.entries()].flat().join('').length
    return { kind: 'metrics', values, dataAsOf, byteCount }
  }
}

/** Shared by all: a row is used before the next is read. */
const reader = createRowReader()

/**
 * Reads the result of a file of metrics.
 * @throws ResultColumnsError unless there is one row with all metrics; FieldError
 */
function readMetrics(
  { definition, organization }: ReportRequest<MetricsDefinition>,
  { fields, dataAsOf }: ResultHead,
) {
  const columns = locateColumns(fields, definition, organization.timeZone)
  const nulledCounts: NulledCounts = new Map()
  const values = new Map<string, RawField>()
  const reading = {
    rowCount: 0,
    dataAsOf,
    values,
    nulledCounts,
    read(bytes: Buffer, from: number, to: number) {
      for (let offset = from; offset < to; offset = reader.nextOffset) {
        const row = reader.read(bytes, offset)
        reading.rowCount += 1
        prepareValues(row, columns, nulledCounts)
        for (const [index, { code, format }] of definition.metrics.entries()) {
          const raw = rawField(row, columns[index]!.fieldIndex)
          const toJson = createJsonField(code, format, organization.timeZone)
          values.set(code, raw === null ? null : toJson(raw))
        }
      }
      return undefined
    },
    end() {
      reader.release()
      if (reading.rowCount === 1) return undefined
      throw new ResultColumnsError(
        `found ${reading.rowCount} rows, expected one row in a metrics file`,
      )
    },
  }
  return reading
}

interface PeriodMetrics {
  readonly period: Period
  readonly values: Values
}

/**
 * The body of `/metrics`: `{metrics, period}`, and `compare` with a comparison.
 * @param metrics in the order of the response
 */
export function metricsBody(
  metrics: readonly Metric[],
  { period, values }: PeriodMetrics,
  compared?: PeriodMetrics,
): Buffer {
  const texts = metrics.map(({ code, title, format }) => {
    const value = values.get(code)!
    const head = jsonText({ code, title }).slice(0, -1)
    const text = `${head},"value":${value},"format":"${format}"`
    if (compared === undefined) return `${text}}`
    const before = compared.values.get(code)!
    const { change, percent } = changeOf(format, value, before)
    return `${text},"compared":${before},"change":${change},"changePercent":${percent}}`
  })
  const compare = compared && { period: inclusiveDates(compared.period) }
  const periods = JSON.stringify({ period: inclusiveDates(period), compare })
  return Buffer.from(`{"metrics":[${texts.join(',\n')}],${periods.slice(1)}\n`)
}
