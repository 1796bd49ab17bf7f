/** Encodes the rows of a report in its format: to a body in memory, or in a file. Knows neither replicas nor the cache. */
import { createHash, type Hash } from 'node:crypto'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { currencyOfTotal } from '../../definitions/units.ts'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import { isTrue, rawField, createRowReader, type RowBytes } from '../../model/row-bytes.ts'
import { throwIfStopped, type Stop } from '../../model/stop.ts'
import type { Bytes, Instant, RawField } from '../../model/terms.ts'
import type { Rows } from '../database/rows.ts'
import type { Format } from '../formats/format.ts'
import { withSelection } from '../../definitions/selection-words.ts'
import { CHUNK_BYTES, createOutput, recycleChunk, takeChunk } from '../formats/output.ts'
import type { Output } from '../formats/output.ts'
import { concatExact, createMemoryBody, etagOfHash, type MemoryBody } from './body.ts'
import type { ReportRequest } from './report-request.ts'
import { checkCodes, layoutOf, ResultColumnsError, observeNulled } from './result-columns.ts'
import { prepareValues } from './result-columns.ts'
import type { NulledCounts } from './result-columns.ts'
import type { SpoolFile } from './spool.ts'
import { LoopTime } from './turns.ts'

export type Body = MemoryBody | SpoolFile

/** Rows between two readings of the clock, if they have fewer bytes. */
const ROWS_PER_CHECK = 16
const BYTES_PER_CHECK: Bytes = 64 * 1024

/** Shared by all encodings: a row is used before the next is read. */
const reader = createRowReader()
const NO_ROWS = Buffer.alloc(0)
const ONE_TOTALS_ROW = 'expected exactly one for every organization and period'

interface EncodeOptions {
  /** The largest body in memory. */
  readonly maxBytes: Bytes
  /** Creates the file of a larger body. Undefined if none may be written now. */
  readonly createFile: () => Promise<SpoolFile> | undefined
  readonly stop: Stop
  /** For values that no format can hold, which are written as null. */
  readonly observe: Observe
}

/**
 * @returns undefined if the body is too large for memory, and no file may be written now
 * @throws ResultColumnsError if the result has other columns or totals than the definition; FieldError; Problem
 *   `result_too_large`, `overloaded`; as `Rows.next`; the reason of the stop
 */
export function encode(
  report: ReportRequest<ReportDefinition>,
  rows: Rows,
  options: EncodeOptions,
): Body | Promise<Body | undefined> {
  const { definition, organization, period, today } = report
  const { first, isWhole, dataAsOf } = rows
  const format = report.format!
  const limit = rowLimit(definition, format)
  const layout = layoutOf(rows.fields, definition, organization.timeZone)
  const nulledCounts: NulledCounts = new Map()
  const unknownCounts: NulledCounts = new Map()
  const writer = format.createWriter({ dataAsOf, ...report })
  const output = createOutput(format.isText)
  const loopTime = new LoopTime()
  const sink = createBodySink(output, options)
  let totals: ReadonlyMap<string, RawField> | undefined
  let declaredRowCount: number | undefined
  let rowCount = 0

  function takeTotals(row: RowBytes): void {
    if (totals) throw new ResultColumnsError(`found two totals rows, ${ONE_TOTALS_ROW}`)
    prepareValues(row, layout.columns, layout.visible, nulledCounts)
    const fields = new Map(
      layout.columns.map(({ name, fieldIndex }) => [name, rawField(row, fieldIndex)]),
    )
    for (const { money, name, fixed = null } of layout.codesOfTotals) {
      if (fixed === null) fields.set(money, null)
      else if (name !== definition.labelColumn) fields.set(name, fixed)
    }
    totals = fields
    const count = rawField(row, layout.rowCount)
    if (count === null) return
    declaredRowCount = Number(count)
    if (declaredRowCount > limit.maxRows) throw limit.problem()
  }

  function writeRow(row: RowBytes): void {
    if (isTrue(row, layout.isTotal)) return takeTotals(row)
    rowCount += 1
    if (rowCount > limit.maxRows) throw limit.problem()
    prepareValues(row, layout.prepared, layout.visible, nulledCounts)
    checkCodes(row, layout.codes, definition.product, unknownCounts)
    writer.row(output, row, layout.visible)
  }

  /** Writes rows until a chunk is full or the time is used up; only one row if the writer has a `step`. */
  function writeRows(batch: Buffer, from: number): number {
    let offset = from
    let checkedAt = from
    for (let count = 1; offset < batch.length; count += 1) {
      writeRow(reader.read(batch, offset))
      offset = reader.nextOffset
      if (output.length >= CHUNK_BYTES || writer.step !== undefined) break
      if (count % ROWS_PER_CHECK > 0 && offset - checkedAt < BYTES_PER_CHECK) continue
      if (loopTime.isUsedUp()) break
      checkedAt = offset
    }
    return offset
  }

  /** @throws ResultColumnsError if the totals row is missing, or its `row_count` is wrong */
  function writeTail(): void {
    reader.release()
    if (!totals) throw new ResultColumnsError(`found no totals row, ${ONE_TOTALS_ROW}`)
    if (declaredRowCount !== undefined && declaredRowCount !== rowCount) {
      throw new ResultColumnsError(
        `row_count is ${declaredRowCount}, expected the number of rows, ${rowCount}`,
      )
    }
    const currencyOf = (name: string) => currencyOfTotal(definition, name)
    const sentence = definition.summarize({ fields: totals, rowCount, currencyOf, period, today })
    const summary = withSelection(sentence, report)
    writer.tail(output, { totals, rowCount, summary })
  }

  function end() {
    observeNulled(options.observe, definition, nulledCounts)
    observeNulled(options.observe, definition, unknownCounts, 'currencies-unknown')
    return sink.end(rowCount, dataAsOf)
  }

  /** @returns false as `sink.take` */
  async function writeBatch(batch: Buffer, from: number): Promise<boolean> {
    for (let offset = from; ; offset = writeRows(batch, offset)) {
      do {
        if (output.length >= CHUNK_BYTES) {
          if (!(await sink.take())) return false
          loopTime.begin()
        }
        if (loopTime.isUsedUp()) await loopTime.wait()
        throwIfStopped(options.stop)
      } while (writer.step?.() === true)
      if (offset >= batch.length) return true
    }
  }

  /** @param from of the first messages */
  async function encodeFrom(from: number): Promise<Body | undefined> {
    let offset = from
    // why: they are valid until the event loop reads sockets again
    let batch: Buffer | undefined = isWhole ? Buffer.from(first) : first
    try {
      while (batch !== undefined) {
        if (!(await writeBatch(batch, offset))) return undefined
        offset = 0
        batch = isWhole ? undefined : await rows.next()
        loopTime.begin()
      }
      writeTail()
      return (await writeBatch(NO_ROWS, 0)) ? await end() : undefined
    } catch (error) {
      sink.abandon()
      throw error
    }
  }

  writer.head(output)
  // why: libuv may deliver 32 results at once
  const offset = loopTime.isUsedUp() ? 0 : writeRows(first, 0)
  const isShort = offset === first.length && output.length < CHUNK_BYTES
  if (!isWhole || !isShort || writer.step !== undefined) return encodeFrom(offset)
  writeTail()
  loopTime.count()
  return end()
}

/** Collects the output of an encoding: in memory up to the limit of a cache entry, a larger one in a file. */
function createBodySink(output: Output, { maxBytes, createFile }: EncodeOptions) {
  const chunks: Buffer[] = []
  let byteCount: Bytes = 0
  /** Hashes a body of several chunks. why: 7 MB at once held the event loop for 5 ms */
  let sha256: Hash | undefined
  let file: SpoolFile | undefined

  /**
   * Empties the output.
   * @returns false if the body is too large for memory, and no file may be written now
   * @throws Problem `result_too_large`, `overloaded`
   */
  async function take(): Promise<boolean> {
    byteCount += output.length
    const chunk = takeChunk(output)
    chunks.push(chunk)
    sha256 ??= createHash('sha256')
    sha256.update(chunk)
    if (byteCount <= maxBytes) return true
    file ??= await createFile()
    if (file === undefined) return false
    for (const one of chunks.splice(0)) {
      await file.append(one)
      recycleChunk(one)
    }
    return true
  }

  function endInMemory(rowCount: number, dataAsOf: Instant | undefined): MemoryBody {
    const last = takeChunk(output)
    const etag = sha256 && etagOfHash(sha256.update(last).digest('base64url'))
    chunks.push(last)
    const bytes = concatExact(chunks)
    for (const chunk of chunks) recycleChunk(chunk)
    return createMemoryBody(bytes, rowCount, dataAsOf, etag)
  }

  return {
    take,
    /** Call it once, after the last row. @returns undefined as `take` returns false @throws as `take` */
    end(rowCount: number, dataAsOf: Instant | undefined): Body | Promise<Body | undefined> {
      if (byteCount + output.length <= maxBytes) return endInMemory(rowCount, dataAsOf)
      return take().then(isTaken => {
        if (!isTaken) return undefined
        return file!.end(etagOfHash(sha256!.digest('base64url')), rowCount, dataAsOf)
      })
    },
    /** Deletes the file, if there is one. */
    abandon: (): void => file?.remove(),
  }
}

/** The maximum number of rows in a format, and the problem if it is exceeded. */
export function rowLimit(definition: ReportDefinition, format: Format) {
  const maxRows = Math.min(definition.maxRows, format.maxRows ?? Infinity)
  // why: of the formats, only XLSX and CSV for Excel have a limit
  const text = maxRows < definition.maxRows ? 'tooManyRowsForExcel' : 'tooManyRows'
  return { maxRows, problem: () => new Problem('result_too_large', texts => texts[text](maxRows)) }
}
