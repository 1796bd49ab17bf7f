/** Encodes rows in one format, chunk by chunk. Knows neither replicas nor the cache. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { isTrue, rawField, type RowBytes } from '../../model/row-bytes.ts'
import { createRowReader, type RowBatch } from '../../model/row-reader.ts'
import type { Instant, Milliseconds, RawField } from '../../model/terms.ts'
import type { Ending, Format } from '../formats/format.ts'
import { CHUNK_BYTES, createOutput, inChunks, takeChunk } from '../formats/output.ts'
import { ResultColumnsError } from '../database/column-types.ts'
import type { Field } from '../database/prepared.ts'
import { createNulledValues } from './nulled-values.ts'
import type { ReportRequest } from './report-request.ts'
import { layoutOf } from './row-layout.ts'
import type { RowLayout } from './row-layout.ts'
import { withSizeProblems, rowLimit } from './too-large.ts'

/** Encoding yields to the event loop after this time. */
const TURN_MS: Milliseconds = 4
/** Rows between two readings of the clock. */
const ROWS_PER_CHECK = 16

const ONE_TOTALS_ROW = 'expected exactly one for every organization and period'

type WriteRow = (row: RowBytes) => void

export interface Rows {
  readonly fields: readonly Field[]
  readonly batches: AsyncIterable<RowBatch>
  /** The data is at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
}

export interface Encoding {
  /**
   * Can be read once.
   * @throws ResultColumnsError, FieldError; Problem `result_too_large`; any error of the batches
   */
  readonly chunks: AsyncGenerator<Buffer, void>
  /** Rows read so far, without the totals row. */
  rowCount(): number
  /** The `row_count` of the totals row; undefined before it, or if the statement does not count its rows. */
  declaredRowCount(): number | undefined
  /** By column: the number of values that no format can hold, which are written as null. */
  readonly nulledCounts: ReadonlyMap<string, number>
}

export function encode(
  format: Format,
  request: ReportRequest<ReportDefinition>,
  { fields, batches, dataAsOf }: Rows,
): Encoding {
  const { definition, organization, period, today } = request
  const limit = rowLimit(definition, format)
  const nulledValues = createNulledValues(organization.timeZone)
  let totals: ReadonlyMap<string, RawField> | undefined
  let declaredRowCount: number | undefined
  let rowCount = 0

  function takeTotals(row: RowBytes, { declared, summary, totalValues }: RowLayout): void {
    if (totals) throw new ResultColumnsError(`found two totals rows, ${ONE_TOTALS_ROW}`)
    nulledValues.of(totalValues)(row)
    totals = new Map(summary.map(([name, index]) => [name, rawField(row, index)]))
    const count = rawField(row, declared)
    if (count === null) return
    declaredRowCount = Number(count)
    if (declaredRowCount > limit.maxRows) throw limit.problem()
  }

  /** @throws ResultColumnsError if the totals row is missing, or its `row_count` is wrong */
  function createEnding(): Ending {
    if (!totals) throw new ResultColumnsError(`found no totals row, ${ONE_TOTALS_ROW}`)
    if (declaredRowCount !== undefined && declaredRowCount !== rowCount) {
      throw new ResultColumnsError(
        `row_count is ${declaredRowCount}, expected the number of rows, ${rowCount}`,
      )
    }
    const summary = definition.summarize({ fields: totals, rowCount, period, today })
    return { totals, rowCount, summary }
  }

  const writer = withSizeProblems(format.createWriter({ ...request, dataAsOf }))
  const output = createOutput(format.isText)
  const reader = createRowReader()

  /**
   * Writes rows until a chunk is full, `TURN_MS` is over or the batch ends; only one row if the writer has a `step`.
   * why: a function of its own, since V8 optimizes a loop in a generator only after many resumptions
   * @returns the offset of the next row
   */
  function writeRows(
    batch: RowBatch,
    from: number,
    writeRow: WriteRow,
    turnStartedAt: number,
  ): number {
    let offset = from
    for (let count = 1; offset < batch.length; count += 1) {
      writeRow(reader.read(batch, offset))
      offset = reader.nextOffset
      if (output.length >= CHUNK_BYTES || writer.step !== undefined) break
      if (count % ROWS_PER_CHECK === 0 && isTurnOver(turnStartedAt)) break
    }
    return offset
  }

  function rowWriter(layout: RowLayout): WriteRow {
    const prepareValues = nulledValues.of(layout.values)
    return row => {
      if (isTrue(row, layout.isTotal)) return takeTotals(row, layout)
      rowCount += 1
      if (rowCount > limit.maxRows) throw limit.problem()
      prepareValues(row)
      writer.row(output, row, layout.columns)
    }
  }

  async function* write(): AsyncGenerator<Buffer, void> {
    const writeRow = rowWriter(layoutOf(fields, definition))
    writer.head(output)
    let turnStartedAt: Milliseconds | undefined
    for await (const batch of batches) {
      // why: libuv reads a socket up to 32 times per turn of the event loop, so one turn may bring many batches
      turnStartedAt ??= performance.now()
      for (let offset = 0; offset < batch.length;) {
        offset = writeRows(batch, offset, writeRow, turnStartedAt)
        do {
          if (output.length >= CHUNK_BYTES) yield* inChunks(takeChunk(output))
          if (isTurnOver(turnStartedAt)) {
            await nextTurn()
            turnStartedAt = performance.now()
          }
        } while (writer.step?.() === true)
      }
    }
    writer.tail(output, createEnding())
    for (let isPending = true; isPending;) {
      isPending = writer.step?.() === true
      if (output.length > 0) yield* inChunks(takeChunk(output))
      if (isPending) await nextTurn()
    }
  }

  return {
    chunks: write(),
    rowCount: () => rowCount,
    declaredRowCount: () => declaredRowCount,
    nulledCounts: nulledValues.counts,
  }
}

export function isTurnOver(turnStartedAt: Milliseconds): boolean {
  return performance.now() - turnStartedAt >= TURN_MS
}
