/**
 * Rows to bytes. Keeps the bytes together while they are few enough to be cached, and turns into a
 * stream with backpressure once they are not, if the number of rows is known by then: an answer with
 * more rows than its report allows must be refused before its first byte is out.
 */
import { Readable } from 'node:stream'
import type { ReportDefinition } from '../definitions/definition.ts'
import { Problem } from '../errors.ts'
import type { BodyWriter } from '../formats/format.ts'
import { CHUNK_BYTES, createOutput, takeAll, takeChunk, giveBack } from '../formats/output.ts'
import { ResultShapeError } from '../replica/column-types.ts'
import type { RowSink, RunStart } from '../replica/run-statement.ts'
import { rawField, type RowBytes } from '../row-bytes.ts'
import type { Bytes, IsoDate, Period, RawField } from '../terms.ts'
import { createEtag, etagOf, makeBody } from './body.ts'
import type { Etag } from './body.ts'
import { layoutOf } from './row-layout.ts'
import type { RowLayout } from './row-layout.ts'
import type { Body, StreamedBody } from './body.ts'

/** A stream's reader may be this far behind before the run pauses. */
const STREAM_AHEAD_BYTES = 4 * CHUNK_BYTES

const ONE_TOTALS_ROW = 'expected exactly one for every organization and period'

export interface BodySink extends RowSink {
  /** After the last row: the whole body, or undefined where a stream has been handed over. */
  finish(): Body | StreamedBody | undefined
  /** The run failed: true where a stream is out, which then ends with this error. */
  fail(error: unknown): boolean
}

export function createBodySink(options: {
  readonly definition: ReportDefinition
  readonly writer: BodyWriter
  readonly period: Period
  readonly today: IsoDate
  /** Above this many bytes an answer is not kept. */
  readonly keepMaxBytes: Bytes
  readonly onStream: (body: StreamedBody) => void
  /** The stream's reader is gone. */
  readonly onAbandoned: () => void
}): BodySink {
  const { definition, writer, keepMaxBytes } = options
  let start: RunStart | undefined
  let layout: RowLayout | undefined
  let totals: ReadonlyMap<string, RawField> | undefined
  let promisedRows: number | undefined
  let rowCount = 0
  const output = createOutput()
  let chunks: Buffer[] = []
  let byteCount = 0
  let etag: Etag | undefined
  let stream: Readable | undefined

  /** False where the reader of the stream has enough for now. */
  function flush(): boolean {
    const chunk = takeChunk(output)
    if (stream) return stream.push(chunk)
    chunks.push(chunk)
    byteCount += chunk.length
    // why: here, while the replica makes the next rows, and not when it has made the last
    etag ??= createEtag()
    etag.update(chunk)
    if (byteCount > keepMaxBytes && promisedRows !== undefined) return openStream(promisedRows)
    return true
  }

  function openStream(promised: number): boolean {
    const opened = new Readable({
      highWaterMark: STREAM_AHEAD_BYTES,
      read: () => start?.resume(),
      destroy: (error, done) => {
        options.onAbandoned()
        done(error)
      },
    })
    stream = opened
    const roomLeft = chunks.map(chunk => opened.push(chunk)).every(Boolean)
    chunks = []
    start?.liftTimeout()
    options.onStream(streamedBody(opened, promised))
    return roomLeft
  }

  function streamedBody(opened: Readable, rows: number): StreamedBody {
    const dataAsOf = start?.dataAsOf
    return {
      kind: 'streamed',
      stream: opened,
      rowCount: rows,
      dataAsOf,
      sent: giveBack,
      discard: () => opened.destroy(),
    }
  }

  function takeTotals(row: RowBytes, { promised: place, summary }: RowLayout): void {
    if (totals) throw new ResultShapeError(`found two totals rows, ${ONE_TOTALS_ROW}`)
    totals = new Map(summary.map(([name, place]) => [name, rawField(row, place)]))
    const promised = rawField(row, place)
    if (promised === null) return
    promisedRows = Number(promised)
    if (promisedRows > definition.maxRows) throw tooManyRows(definition)
  }

  return {
    begin(runStart) {
      start = runStart
      layout = layoutOf(runStart.fields, definition)
      writer.head(output)
    },
    row(row) {
      if (isTrue(row, layout!.isTotal)) {
        takeTotals(row, layout!)
        return true
      }
      rowCount += 1
      if (rowCount > definition.maxRows) throw tooManyRows(definition)
      writer.row(output, row, layout!.columns)
      return output.length < CHUNK_BYTES || flush()
    },
    rowCount: () => rowCount,
    finish() {
      if (!totals) throw new ResultShapeError(`found no totals row, ${ONE_TOTALS_ROW}`)
      if (promisedRows !== undefined && promisedRows !== rowCount) {
        throw new ResultShapeError(
          `row_count says ${promisedRows} and there are ${rowCount} rows, expected their number`,
        )
      }
      writer.tail(output, {
        fields: totals,
        rowCount,
        period: options.period,
        today: options.today,
      })
      if (chunks.length === 0 && stream === undefined && output.length <= keepMaxBytes) {
        const whole = takeAll(output)
        return makeBody(whole, etagOf(whole), rowCount, start?.dataAsOf)
      }
      flush()
      if (stream) {
        stream.push(null)
        return undefined
      }
      if (byteCount <= keepMaxBytes) {
        const whole = Buffer.concat(chunks)
        for (const chunk of chunks) giveBack(chunk)
        return makeBody(whole, etag!.digest(), rowCount, start?.dataAsOf)
      }
      return streamedBody(Readable.from(chunks), rowCount)
    },
    fail(error) {
      stream?.destroy(error instanceof Error ? error : new Error(String(error)))
      return stream !== undefined
    },
  }
}

const LETTER_T = 0x74

/** PostgreSQL prints a boolean as `t` or `f`. */
function isTrue({ bytes, starts, ends }: RowBytes, place: number): boolean {
  const start = starts[place]!
  return start >= 0 && ends[place] === start + 1 && bytes[start] === LETTER_T
}

function tooManyRows({ maxRows }: ReportDefinition): Problem {
  return new Problem('result_too_large', {
    ru: `В ответе больше ${maxRows} строк. Возьмите период короче.`,
    en: `The answer has more than ${maxRows} rows. Take a shorter period.`,
  })
}
