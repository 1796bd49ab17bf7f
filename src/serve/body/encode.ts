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

  async function* write(): AsyncGenerator<Buffer, void> {
    const layout = layoutOf(fields, definition)
    const replaceNullDates = nullDates.of(layout.dates)
    const writer = refusing(format.createWriter(request))
    const reader = createRowReader()
    const output = createOutput(format.isText)
    writer.head(output)
    for await (const batch of batches) {
      let turnFrom = performance.now()
      const isOver = (): boolean => performance.now() - turnFrom >= TURN_MS
      for (let offset = 0; offset < batch.length; offset = reader.nextOffset) {
        const row = reader.read(batch, offset)
        if (isTrue(row, layout.isTotal)) {
          takeTotals(row, layout)
          continue
        }
        rowCount += 1
        if (rowCount > bound.maxRows) throw bound.problem()
        replaceNullDates(row)
        writer.row(output, row, layout.columns)
        let isChecked = rowCount % ROWS_PER_CHECK === 0
        do {
          if (output.length >= CHUNK_BYTES) yield* inChunks(takeChunk(output))
          if (isChecked && isOver()) {
            await nextTurn()
            turnFrom = performance.now()
          }
          isChecked = true
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
