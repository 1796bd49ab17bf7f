/** Executes a file of metrics and encodes each metric as JSON. Responses are assembled from these texts. */
import { inclusiveDates } from '../../definitions/calendar.ts'
import { changeOf } from '../../definitions/comparison.ts'
import type { MetricsDefinition } from '../../definitions/definition.ts'
import { rawField } from '../../model/row-bytes.ts'
import { createRowReader, forEachRow } from '../../model/row-reader.ts'
import type { Bytes, Instant, Metric, MetricFormat, Period, RawField } from '../../model/terms.ts'
import { createJsonField } from '../formats/json/json-field.ts'
import { jsonText } from '../formats/json/json-text.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import type { Replicas } from '../database/attempts.ts'
import { ResultColumnsError } from '../database/column-types.ts'
import type { Execution } from '../database/execution.ts'
import type { NegativeCache } from './negative-cache.ts'
import { createNulledValues, valueColumns, type NulledValues } from './nulled-values.ts'
import { organizationRequest } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import { locateMetrics } from './result-columns.ts'

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
  signal: AbortSignal,
  origin?: RequestOrigin,
) => Promise<MetricValues>

export function createLoadMetrics(options: {
  readonly replicas: Pick<Replicas, 'begin'>
  readonly negativeCache: NegativeCache
  readonly observe: Observe
}): LoadMetrics {
  const { negativeCache } = options
  return async (request, signal, origin) => {
    negativeCache.check(request, 'metrics')
    try {
      const { value: json, dataAsOf } = await readMetricFields(
        { ...options, origin },
        request,
        signal,
        fields => toJson(fields, request),
      )
      const byteCount = [...json.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      return { kind: 'metrics', json, dataAsOf, byteCount }
    } catch (error) {
      if (!signal.aborted) negativeCache.remember(request, 'metrics', error)
      throw error
    }
  }
}

/** Metric code to its text from PostgreSQL. */
type MetricFields = ReadonlyMap<string, RawField>

/**
 * Executes a statement that returns one row, and retries as the replicas allow.
 * @param make converts the fields; an error that it throws fails the execution
 * @throws as `LoadReport`
 */
export async function readMetricFields<T>(
  {
    replicas,
    observe,
    origin,
  }: {
    readonly replicas: Pick<Replicas, 'begin'>
    readonly observe: Observe
    readonly origin?: RequestOrigin | undefined
  },
  request: ReportRequest<MetricsDefinition>,
  signal: AbortSignal,
  make: (fields: MetricFields) => T,
): Promise<{ readonly value: T; readonly dataAsOf: Instant | undefined }> {
  const attempts = replicas.begin({ ...organizationRequest(request, 'metrics'), origin }, signal)
  for (;;) {
    const execution = await attempts.next()
    try {
      const nulledValues = createNulledValues(request.organization.timeZone)
      const value = make(await readOnlyRow(execution, request.definition, nulledValues))
      attempts.succeed(1)
      nulledValues.counts.forEach((valueCount, column) =>
        observe({ kind: 'values-nulled', definition: request.definition.name, column, valueCount }),
      )
      return { value, dataAsOf: execution.dataAsOf }
    } catch (error) {
      await attempts.fail(error, 0)
    }
  }
}

/** @throws ResultColumnsError unless there is one row with all metrics */
async function readOnlyRow(
  { fields, batches }: Execution,
  definition: MetricsDefinition,
  nulledValues: NulledValues,
): Promise<MetricFields> {
  const indexes = locateMetrics(fields, definition)
  const formats = definition.metrics.map(({ code, format }) => [code, format] as const)
  const prepareValues = nulledValues.of(valueColumns(formats, fields, indexes))
  const reader = createRowReader()
  let values: MetricFields = new Map()
  let rowCount = 0
  for await (const batch of batches) {
    forEachRow(reader, batch, row => {
      rowCount += 1
      prepareValues(row)
      values = new Map(Array.from(indexes, ([code, index]) => [code, rawField(row, index)]))
    })
  }
  if (rowCount === 1) return values
  throw new ResultColumnsError(`found ${rowCount} rows, expected one row in a metrics file`)
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
