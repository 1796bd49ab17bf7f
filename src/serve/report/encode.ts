/** Encodes the rows of a report in its format. Knows neither replicas nor the cache. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import { isTrue, rawField, type RowBytes, createRowReader } from '../../model/row-bytes.ts'
import type { Bytes, RawField } from '../../model/terms.ts'
import { CHUNK_BYTES, createOutput } from '../formats/output.ts'
import type { ResultHead, ResultReader } from '../database/result-reader.ts'
import type { Body, SinkOptions } from './body.ts'
import { createBodySink } from './body.ts'
import { prepareValues } from './nulled-values.ts'
import type { NulledCounts } from './nulled-values.ts'
import type { ReportRequest } from './report-request.ts'
import { layoutOf, ResultColumnsError } from './result-columns.ts'
import { rowLimit } from './too-large.ts'
import { Turn } from './loop-turns.ts'

/** Rows between two readings of the clock, if they have fewer bytes. */
const ROWS_PER_CHECK = 16
const BYTES_PER_CHECK: Bytes = 64 * 1024

/** Shared by all encodings: a row is used before the next is read. */
const reader = createRowReader()
const NO_ROWS = Buffer.alloc(0)
const ONE_TOTALS_ROW = 'expected exactly one for every organization and period'

/** Throws ResultColumnsError, FieldError; Problem `result_too_large`; what the sink throws. */
interface Encoding extends ResultReader {
  /** Once it has ended. */
  readonly body: Body | undefined
  /** By column: the number of values that no format can hold, which are written as null. */
  readonly nulledCounts: NulledCounts
}

/** @throws ResultColumnsError if the result has other columns than the definition */
export function encode(
  request: ReportRequest<ReportDefinition>,
  { fields, dataAsOf }: ResultHead,
  sinkOptions: SinkOptions,
): Encoding {
  const { definition, organization, period, today } = request
  const format = request.format!
  const limit = rowLimit(definition, format)
  const layout = layoutOf(fields, definition, organization.timeZone)
  const nulledCounts: NulledCounts = new Map()
  const writer = format.createWriter({ dataAsOf, ...request })
  const output = createOutput(format.isText)
  const turn = new Turn()
  const sink = createBodySink(output, sinkOptions)
  let totals: ReadonlyMap<string, RawField> | undefined
  let declaredRowCount: number | undefined
  let rowCount = 0
  let body: Body | undefined

  function takeTotals(row: RowBytes): void {
    if (totals) throw new ResultColumnsError(`found two totals rows, ${ONE_TOTALS_ROW}`)
    prepareValues(row, layout.columns, nulledCounts)
    totals = new Map(
      layout.columns.map(({ name, fieldIndex }) => [name, rawField(row, fieldIndex)]),
    )
    const count = rawField(row, layout.rowCount)
    if (count === null) return
    declaredRowCount = Number(count)
    if (declaredRowCount > limit.maxRows) throw limit.problem()
  }

  function writeRow(row: RowBytes): void {
    if (isTrue(row, layout.isTotal)) return takeTotals(row)
    rowCount += 1
    if (rowCount > limit.maxRows) throw limit.problem()
    prepareValues(row, layout.prepared, nulledCounts)
    writer.row(output, row, layout.visible)
  }

  /** Writes rows until a chunk is full or the turn is over; only one row if the writer has a `step`. */
  function writeRows(bytes: Buffer, from: number, to: number): number {
    let offset = from
    let checkedAt = from
    for (let count = 1; offset < to; count += 1) {
      writeRow(reader.read(bytes, offset))
      offset = reader.nextOffset
      if (output.length >= CHUNK_BYTES || writer.step !== undefined) break
      if (count % ROWS_PER_CHECK > 0 && offset - checkedAt < BYTES_PER_CHECK) continue
      if (turn.isOver()) break
      checkedAt = offset
    }
    return offset
  }

  async function writeRest(bytes: Buffer, from: number, to: number): Promise<void> {
    for (let offset = from; ; offset = writeRows(bytes, offset, to)) {
      do {
        if (output.length >= CHUNK_BYTES) {
          await sink.take()
          turn.begin()
        }
        if (turn.isOver()) await turn.next()
      } while (writer.step?.() === true)
      if (offset >= to) break
    }
  }

  /** @throws ResultColumnsError if the totals row is missing, or its `row_count` is wrong */
  function writeTail(): void {
    if (!totals) throw new ResultColumnsError(`found no totals row, ${ONE_TOTALS_ROW}`)
    if (declaredRowCount !== undefined && declaredRowCount !== rowCount) {
      throw new ResultColumnsError(
        `row_count is ${declaredRowCount}, expected the number of rows, ${rowCount}`,
      )
    }
    const summary = definition.summarize({ fields: totals, rowCount, period, today })
    writer.tail(output, { totals, rowCount, summary })
  }

  function endBody(): Promise<void> | undefined {
    const ended = sink.end(rowCount, dataAsOf)
    if (ended instanceof Promise) return ended.then(whole => void (body = whole))
    body = ended
    return undefined
  }

  writer.head(output)
  return {
    get rowCount() {
      return rowCount
    },
    get body() {
      return body
    },
    nulledCounts,
    read(bytes, from, to) {
      turn.begin()
      // why: libuv may deliver 32 batches in one turn of the event loop
      const offset = turn.isOver() ? from : writeRows(bytes, from, to)
      const isWhole = offset === to && output.length < CHUNK_BYTES && writer.step === undefined
      if (!isWhole) return writeRest(bytes, offset, to)
      turn.count()
      return undefined
    },
    end() {
      reader.release()
      turn.begin()
      writeTail()
      return writer.step === undefined ? endBody() : writeRest(NO_ROWS, 0, 0).then(endBody)
    },
  }
}
