/** Executes a file of metrics and encodes each metric as JSON. Responses are assembled from these texts. */
import { inclusiveDates } from '../../definitions/calendar.ts'
import { changeOf } from '../../definitions/comparison.ts'
import type { MetricsDefinition } from '../../definitions/definition.ts'
import { rawField } from '../../model/row-bytes.ts'
import { createRowReader } from '../../model/row-reader.ts'
import type { Bytes, Instant, Metric, MetricFormat, Period, RawField } from '../../model/terms.ts'
import { createJsonField } from '../formats/json/json-field.ts'
import { jsonText } from '../formats/json/json-text.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Execute } from '../database/execute.ts'
import type { ResultHead, ResultReader } from '../database/result-reader.ts'
import { observeNulled, prepareValues } from './nulled-values.ts'
import type { NulledCounts } from './nulled-values.ts'
import { organizationRequest } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import { locateMetrics, ResultColumnsError } from './result-columns.ts'

export interface MetricValues {
  readonly kind: 'metrics'
  /** Metric code to `{"code":...,"title":...,"value":...,"format":...}`. */
  readonly json: ReadonlyMap<string, string>
  readonly dataAsOf: Instant | undefined
  readonly byteCount: Bytes
}

/** @throws as `LoadReport` */
export type LoadMetrics = (
  request: ReportRequest<MetricsDefinition>,
  stop: Stop,
  origin?: RequestOrigin,
) => Promise<MetricValues>

export function createLoadMetrics(options: {
  readonly execute: Execute
  readonly observe: Observe
}): LoadMetrics {
  const { execute, observe } = options
  return async (request, stop, origin) => {
    const statement = organizationRequest(request, origin)
    const reading = await execute(statement, stop, head => readMetrics(request, head, toJson))
    observeNulled(observe, request.definition, reading.nulledCounts)
    const json = reading.made!
    const byteCount = [...json.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    return { kind: 'metrics', json, dataAsOf: reading.dataAsOf, byteCount }
  }
}

/** Shared by all: a row is used before the next is read. */
const reader = createRowReader()

/** Metric code to its text from PostgreSQL. */
type MetricFields = ReadonlyMap<string, RawField>

interface MetricsReading<T> extends ResultReader {
  readonly dataAsOf: Instant | undefined
  /** Once the only row was read. */
  readonly made: T | undefined
  readonly nulledCounts: ReadonlyMap<string, number>
}

/**
 * Reads the result of a file of metrics.
 * @param make converts the fields; what it throws fails the execution
 * @throws ResultColumnsError unless there is one row with all metrics
 */
export function readMetrics<T>(
  request: ReportRequest<MetricsDefinition>,
  { fields, dataAsOf }: ResultHead,
  make: (values: MetricFields, request: ReportRequest<MetricsDefinition>) => T,
): MetricsReading<T> {
  const { definition, organization } = request
  const columns = locateMetrics(fields, definition, organization.timeZone)
  const nulledCounts: NulledCounts = new Map()
  let values: MetricFields = new Map()
  const reading = {
    rowCount: 0,
    dataAsOf,
    made: undefined as T | undefined,
    nulledCounts,
    read(bytes: Buffer, from: number, to: number) {
      for (let offset = from; offset < to; offset = reader.nextOffset) {
        const row = reader.read(bytes, offset)
        reading.rowCount += 1
        prepareValues(row, columns, nulledCounts)
        values = new Map(columns.map(({ name, fieldIndex }) => [name, rawField(row, fieldIndex)]))
      }
      return undefined
    },
    end() {
      reader.release()
      const { rowCount } = reading
      if (rowCount !== 1) {
        throw new ResultColumnsError(`found ${rowCount} rows, expected one row in a metrics file`)
      }
      reading.made = make(values, request)
      return undefined
    },
  }
  return reading
}

function toJson(
  fields: MetricFields,
  { definition, organization }: ReportRequest<MetricsDefinition>,
): Map<string, string> {
  const fieldOf = ({ code, format }: Metric): string =>
    createJsonField(code, format, organization.timeZone)(fields.get(code) ?? null)
  const json = definition.metrics.map(metric => {
    const { code, title, format } = metric
    const head = jsonText({ code, title }).slice(0, -1)
    return [code, `${head},"value":${fieldOf(metric)},"format":"${format}"}`] as const
  })
  return new Map(json)
}

/** Metrics of a period, by code as in `MetricValues`. */
interface PeriodMetrics {
  readonly period: Period
  readonly json: ReadonlyMap<string, string>
}

/**
 * The body of `/metrics`: `{metrics, period}`, and `compare` with a comparison.
 * @param codes in the order of the response
 */
export function metricsBody(
  codes: readonly string[],
  { period, json }: PeriodMetrics,
  compared?: PeriodMetrics,
): Buffer {
  const metrics = codes.map(code => {
    const metric = json.get(code)!
    return compared === undefined ? metric : withFigures(metric, compared.json.get(code)!)
  })
  const compare = compared && { period: inclusiveDates(compared.period) }
  const periods = JSON.stringify({ period: inclusiveDates(period), compare })
  return Buffer.from(`{"metrics":[${metrics.join(',\n')}],${periods.slice(1)}\n`)
}

const VALUE = /"value":([^"]+),"format":"(.+)"}$/

function withFigures(metric: string, compared: string): string {
  const [, value, format] = VALUE.exec(metric)!
  const [, before] = VALUE.exec(compared)!
  const fields = [value!, before!].map(one => (one === 'null' ? null : one))
  const { change, percent } = changeOf(format as MetricFormat, fields[0]!, fields[1]!)
  return `${metric.slice(0, -1)},"compared":${before},"change":${change},"changePercent":${percent}}`
}
