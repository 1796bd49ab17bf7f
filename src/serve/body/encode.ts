/** Rows to the bytes of one format, a chunk at a time. Knows neither replicas nor the cache. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { isTrue, rawField, type RowBytes } from '../../model/row-bytes.ts'
import { createRowReader, type RowBatch } from '../../model/row-reader.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import type { Ending, Format } from '../formats/format.ts'
import { CHUNK_BYTES, createOutput, inChunks, takeChunk } from '../formats/output.ts'
import { ResultShapeError } from '../replica/column-types.ts'
import type { Field } from '../replica/prepared.ts'
import { createNullDates } from './null-dates.ts'
import type { ReportRequest } from './report-request.ts'
import { layoutOf } from './row-layout.ts'
import type { RowLayout } from './row-layout.ts'
import { refusing, rowBound } from './too-large.ts'

/** Everything else has its turn after so long. */
const TURN_MS: Milliseconds = 4
/** The clock is read once for so many rows. */
const ROWS_PER_CHECK = 16

const ONE_TOTALS_ROW = 'expected exactly one for every organization and period'

type WriteRow = (row: RowBytes) => void

export interface Rows {
  readonly fields: readonly Field[]
  readonly batches: AsyncIterable<RowBatch>
}

export interface Encoding {
  /**
   * To be read once.
   * @throws ResultShapeError, FieldError; Problem `result_too_large`; what the batches throw
   */
  readonly chunks: AsyncGenerator<Buffer, void>
  /** So far. */
  rowCount(): number
  /** That there will be at the end; undefined before the totals row, or if the statement does not count its rows. */
  promisedRowCount(): number | undefined
  /** Of dates that the format cannot show, and that became null: by column. */
  readonly nullDateCounts: ReadonlyMap<string, number>
}

export function encode(
  format: Format,
  request: ReportRequest<ReportDefinition>,
  { fields, batches }: Rows,
): Encoding {
  const { definition, organization, period, today } = request
  const bound = rowBound(definition, format)
  const nullDates = createNullDates(organization.timeZone)
  let totals: ReadonlyMap<string, RawField> | undefined
  let promisedRowCount: number | undefined
  let rowCount = 0

  function takeTotals(row: RowBytes, { promised, summary, totalDates }: RowLayout): void {
    if (totals) throw new ResultShapeError(`found two totals rows, ${ONE_TOTALS_ROW}`)
    nullDates.of(totalDates)(row)
    totals = new Map(summary.map(([name, index]) => [name, rawField(row, index)]))
    const count = rawField(row, promised)
    if (count === null) return
    promisedRowCount = Number(count)
    if (promisedRowCount > bound.maxRows) throw bound.problem()
  }

  /** @throws ResultShapeError */
  function ending(): Ending {
    if (!totals) throw new ResultShapeError(`found no totals row, ${ONE_TOTALS_ROW}`)
    if (promisedRowCount !== undefined && promisedRowCount !== rowCount) {
      throw new ResultShapeError(
        `row_count says ${promisedRowCount} and there are ${rowCount} rows, expected their number`,
      )
    }
    const summary = definition.summarize({ fields: totals, rowCount, period, today })
    return { totals, rowCount, summary }
  }

  const writer = refusing(format.createWriter(request))
  const output = createOutput(format.isText)
  const reader = createRowReader()

  /**
   * Writes rows until a chunk is full, the turn is over or the batch is; one row if the writer works in steps.
   * why: a loop of a generator is compiled only when the generator has been resumed many times
   * @returns the offset of the next row
   */
  function writeRows(batch: RowBatch, from: number, writeRow: WriteRow, turnFrom: number): number {
    let offset = from
    for (let count = 1; offset < batch.length; count += 1) {
      writeRow(reader.read(batch, offset))
      offset = reader.nextOffset
      if (output.length >= CHUNK_BYTES || writer.step !== undefined) break
      if (count % ROWS_PER_CHECK === 0 && isOver(turnFrom)) break
    }
    return offset
  }

  function rowWriter(layout: RowLayout): WriteRow {
    const replaceNullDates = nullDates.of(layout.dates)
    return row => {
      if (isTrue(row, layout.isTotal)) return takeTotals(row, layout)
      rowCount += 1
      if (rowCount > bound.maxRows) throw bound.problem()
      replaceNullDates(row)
      writer.row(output, row, layout.columns)
    }
  }

  async function* write(): AsyncGenerator<Buffer, void> {
    const writeRow = rowWriter(layoutOf(fields, definition))
    writer.head(output)
    let turnFrom: Milliseconds | undefined
    for await (const batch of batches) {
      // why: libuv reads a socket up to 32 times in a turn of the event loop, so that a turn may have many batches
      turnFrom ??= performance.now()
      for (let offset = 0; offset < batch.length;) {
        offset = writeRows(batch, offset, writeRow, turnFrom)
        do {
          if (output.length >= CHUNK_BYTES) yield* inChunks(takeChunk(output))
          if (isOver(turnFrom)) {
            await nextTurn()
            turnFrom = performance.now()
          }
        } while (writer.step?.() === true)
      }
    }
    writer.tail(output, ending())
    if (output.length > 0) yield* inChunks(takeChunk(output))
  }

  return {
    chunks: write(),
    rowCount: () => rowCount,
    promisedRowCount: () => promisedRowCount,
    nullDateCounts: nullDates.counts,
  }
}

function isOver(turnFrom: Milliseconds): boolean {
  return performance.now() - turnFrom >= TURN_MS
}
