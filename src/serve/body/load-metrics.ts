/** Executes a file of metrics and encodes each metric as JSON. Responses are assembled from these texts. */
import { inclusiveDates } from '../../definitions/calendar.ts'
import type { MetricsDefinition } from '../../definitions/definition.ts'
import type { Bytes, Clock, Instant, Metric, RawField } from '../../model/terms.ts'
import { createJsonField } from '../formats/json/json-field.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import type { Replicas } from '../replica/attempts.ts'
import { executeForRow } from './execute-for-row.ts'
import type { NegativeCache } from './negative-cache.ts'
import { organizationRequest } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import { locateMetrics } from './result-columns.ts'

export interface MetricValues {
  readonly kind: 'metrics'
  /** Metric code to `{"code":...,"title":...,"value":...,"format":...}`, and its figures with a comparison. */
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
  readonly now: Clock
}): LoadMetrics {
  const { negativeCache } = options
  return async (request, signal, origin) => {
    negativeCache.check(request, 'metrics')
    try {
      const { value: json, dataAsOf } = await readMetricFields(
        { ...options, origin },
        request,
        signal,
        toJson,
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
 * @param make converts the fields; an error that it throws fails the execution
 * @throws as `LoadReport`
 */
export async function readMetricFields<T>(
  {
    replicas,
    now,
    origin,
  }: {
    readonly replicas: Pick<Replicas, 'begin'>
    readonly now: Clock
    readonly origin?: RequestOrigin | undefined
  },
  request: ReportRequest<MetricsDefinition>,
  signal: AbortSignal,
  make: (fields: MetricFields, request: ReportRequest<MetricsDefinition>) => T,
): Promise<{ readonly value: T; readonly dataAsOf: Instant | undefined }> {
  const { definition } = request
  const codes = definition.metrics.map(({ code }) => code)
  return executeForRow({
    replicas,
    statement: { ...organizationRequest(request, 'metrics', now), origin },
    signal,
    select(columns) {
      const indexes = locateMetrics(columns, definition)
      return codes.map(code => indexes.get(code) ?? -1)
    },
    make: fields => make(new Map(codes.map((code, at) => [code, fields[at]!])), request),
    expected: 'one row in a metrics file',
  })
}

function toJson(
  fields: MetricFields,
  { definition, organization }: ReportRequest<MetricsDefinition>,
): Map<string, string> {
  const fieldOf = ({ code, format }: Metric): string =>
    createJsonField(code, format, organization.timeZone)(fields.get(code) ?? null)
  const { metrics, figures } = definition
  const json = metrics
    .filter(({ code }) => figures === undefined || figures.has(code))
    .map(metric => {
      const { code, title, format } = metric
      const head = JSON.stringify({ code, title }).slice(0, -1)
      const compared = Object.entries(figures?.get(code) ?? {})
        .map(([name, figure]) => `,"${name}":${fieldOf(figure)}`)
        .join('')
      const text = `${head},"value":${fieldOf(metric)},"format":"${format}"${compared}}`
      return [code, text] as const
    })
  return new Map(json)
}

/**
 * The body of `/metrics`: `{metrics}`, and `period` and `compare` with a comparison.
 * @param codes in the order of the response
 * @param json metric code to its JSON, as in `MetricValues`
 */
export function metricsBody(
  codes: readonly string[],
  json: ReadonlyMap<string, string>,
  { period, comparison }: Partial<Pick<ReportRequest, 'period' | 'comparison'>> = {},
): Buffer {
  const metrics = codes.map(code => json.get(code)).join(',\n')
  const compare = comparison && { period: inclusiveDates(comparison) }
  const periods = compare && JSON.stringify({ period: inclusiveDates(period!), compare })
  return Buffer.from(
    `{"metrics":[${metrics}]${periods === undefined ? '' : `,${periods.slice(1, -1)}`}}\n`,
  )
}
