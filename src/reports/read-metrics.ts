/** A file of metrics, run once: every metric's JSON, to pick answers from. */
import type { MetricsDefinition } from '../definitions/definition.ts'
import { createJsonField } from '../formats/json-field.ts'
import { ResultShapeError } from '../replica/column-types.ts'
import type { Replica } from '../replica/replica.ts'
import type { RowSink } from '../replica/run-statement.ts'
import type { Bytes, Clock, Instant } from '../terms.ts'
import { runOf } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import { locateMetrics } from './result-columns.ts'

export interface MetricValues {
  readonly kind: 'metrics'
  /** Metric code to `{"code":...,"title":...,"value":...,"format":...}`. */
  readonly json: ReadonlyMap<string, string>
  readonly dataAsOf: Instant | undefined
  readonly byteCount: Bytes
}

/** @throws as `ReadReport`. */
export type ReadMetrics = (
  request: ReportRequest<MetricsDefinition>,
  signal: AbortSignal,
) => Promise<MetricValues>

export function createReadMetrics(options: {
  readonly replica: Replica
  readonly now: Clock
}): ReadMetrics {
  const { replica, now } = options
  return async (request, signal) => {
    const sink = createMetricsSink(request)
    await replica.run({
      ...runOf(request, now),
      sink,
      finish: () => sink.check(),
      signal,
    })
    return sink.values()
  }
}

function createMetricsSink({
  definition,
  organization,
}: ReportRequest<MetricsDefinition>): RowSink & {
  check(): void
  values(): MetricValues
} {
  let places = new Map<string, number>()
  let dataAsOf: Instant | undefined
  let rowCount = 0
  const json = new Map<string, string>()
  return {
    begin(start) {
      dataAsOf = start.dataAsOf
      places = locateMetrics(start.fields, definition)
    },
    row(fields) {
      rowCount += 1
      for (const { code, title, format } of definition.metrics) {
        const toJson = createJsonField(code, format, organization.timeZone)
        const value = toJson(fields[places.get(code) ?? -1] ?? null)
        const head = JSON.stringify({ code, title }).slice(0, -1)
        json.set(code, `${head},"value":${value},"format":"${format}"}`)
      }
      return true
    },
    rowCount: () => rowCount,
    check() {
      if (rowCount !== 1)
        throw new ResultShapeError(`a metrics file has one row, but here are ${rowCount}`)
    },
    values() {
      const byteCount = [...json.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      return { kind: 'metrics', json, dataAsOf, byteCount }
    },
  }
}
