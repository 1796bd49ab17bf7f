/** A file of metrics, run once: every metric's JSON, to pick answers from. */
import type { MetricsDefinition } from '../../definitions/definition.ts'
import { createJsonField } from '../formats/json/json-field.ts'
import { ResultShapeError } from '../replica/column-types.ts'
import type { Reading, Runs } from '../replica/replica-run.ts'
import type { RowSink } from '../replica/run-statement.ts'
import { rawField } from '../../model/row-bytes.ts'
import type { Bytes, Clock, Instant, RawField } from '../../model/terms.ts'
import { organizationRun } from './report-request.ts'
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
  readonly replica: Runs
  readonly now: Clock
}): ReadMetrics {
  return async (request, signal) => {
    const { value, dataAsOf } = await readMetricFields(options, request, signal, encode)
    const byteCount = [...value.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    return { kind: 'metrics', json: value, dataAsOf, byteCount }
  }
}

/** Metric code to what PostgreSQL printed. */
export type MetricFields = ReadonlyMap<string, RawField>

/**
 * @param make what is wanted of the fields; what it throws fails the run.
 * @throws as `ReadReport`.
 */
export async function readMetricFields<T>(
  { replica, now }: { readonly replica: Runs; readonly now: Clock },
  request: ReportRequest<MetricsDefinition>,
  signal: AbortSignal,
  make: (fields: MetricFields, request: ReportRequest<MetricsDefinition>) => T,
): Promise<{ readonly value: T; readonly dataAsOf: Instant | undefined }> {
  let made: { readonly value: T; readonly dataAsOf: Instant | undefined } | undefined

  function open(): Reading {
    const { sink, fields, dataAsOf } = createMetricsSink(request.definition)
    const finish = (): void =>
      void (made = { value: make(fields(), request), dataAsOf: dataAsOf() })
    return { sink, finish, isOut: () => false }
  }

  await replica.run({ ...organizationRun(request, 'metrics', now), open, signal })
  return made!
}

function encode(
  fields: MetricFields,
  { definition, organization }: ReportRequest<MetricsDefinition>,
): Map<string, string> {
  const json = definition.metrics.map(({ code, title, format }) => {
    const toJson = createJsonField(code, format, organization.timeZone)
    const head = JSON.stringify({ code, title }).slice(0, -1)
    const text = `${head},"value":${toJson(fields.get(code) ?? null)},"format":"${format}"}`
    return [code, text] as const
  })
  return new Map(json)
}

function createMetricsSink(definition: MetricsDefinition): {
  readonly sink: RowSink
  /** @throws ResultShapeError where there was not one row. */
  readonly fields: () => MetricFields
  readonly dataAsOf: () => Instant | undefined
} {
  let places = new Map<string, number>()
  let dataAsOf: Instant | undefined
  let rowCount = 0
  let fields = new Map<string, RawField>()
  return {
    sink: {
      begin(start) {
        dataAsOf = start.dataAsOf
        places = locateMetrics(start.fields, definition)
      },
      row(row) {
        rowCount += 1
        const found = definition.metrics.map(
          ({ code }) => [code, rawField(row, places.get(code) ?? -1)] as const,
        )
        fields = new Map(found)
        return true
      },
      rowCount: () => rowCount,
    },
    fields() {
      if (rowCount === 1) return fields
      throw new ResultShapeError(`a metrics file has one row, but here are ${rowCount}`)
    },
    dataAsOf: () => dataAsOf,
  }
}
