/**
 * Rows to bytes. Keeps the bytes together while they are few enough to be cached, and turns into a
 * stream once they are not: at once if the number of rows is known by then, else after the last row,
 * for an answer with more rows than its report allows must be refused before its first byte is out.
 */
import type { ReportDefinition } from '../definitions/definition.ts'
import { Problem } from '../errors.ts'
import type { BodyWriter } from '../formats/format.ts'
import { CHUNK_BYTES, createOutput, takeAll, takeChunk, giveBack } from '../formats/output.ts'
import { ResultShapeError } from '../replica/column-types.ts'
import type { RowSink, RunStart } from '../replica/run-statement.ts'
import { replicaProblem } from '../replica/classify-error.ts'
import { rawField, type RowBytes } from '../row-bytes.ts'
import type { Bytes, Clock, IsoDate, Milliseconds, Period, RawField } from '../terms.ts'
import { createEtag, etagOf, makeBody } from './body.ts'
import type { Etag } from './body.ts'
import { layoutOf } from './row-layout.ts'
import type { RowLayout } from './row-layout.ts'
import type { Body, StreamedBody } from './body.ts'
import { createOutflow } from './outflow.ts'
import type { Outflow } from './outflow.ts'
import { SpoolFullError } from './spool.ts'
import type { Spool } from './spool.ts'

/** A quick reader never makes a run wait so long in all, and never needs a file. */
const PATIENCE_MS: Milliseconds = 1000

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
  /** Undefined: a run waits for its reader. */
  readonly spool: Spool | undefined
  readonly organizationId: string
  readonly now: Clock
  readonly onStream: (body: StreamedBody) => void
  /** The stream's reader is gone. */
  readonly onAbandoned: () => void
}): BodySink {
  const { definition, writer, keepMaxBytes, spool } = options
  let start: RunStart | undefined
  let layout: RowLayout | undefined
  let totals: ReadonlyMap<string, RawField> | undefined
  let promisedRows: number | undefined
  let rowCount = 0
  const output = createOutput(true)
  let chunks: Buffer[] = []
  let byteCount = 0
  let etag: Etag | undefined
  let outflow: Outflow | undefined
  let isOut = false

  /** False where the run has to wait. */
  function flush(): boolean {
    const chunk = takeChunk(output)
    if (outflow) return send(outflow, [chunk])
    chunks.push(chunk)
    byteCount += chunk.length
    // why: here, while the replica makes the next rows, and not when it has made the last
    etag ??= createEtag()
    etag.update(chunk)
    return byteCount <= keepMaxBytes || openStream()
  }

  function openStream(): boolean {
    const isPromised = promisedRows !== undefined
    if (!isPromised && spool === undefined) throw tooManyBytes(undefined)
    const opened = createOutflow({
      spool,
      organizationId: options.organizationId,
      patienceMs: isPromised ? PATIENCE_MS : 0,
      onRoom: () => start?.resume(),
      onClosed: () => void (isOut && options.onAbandoned()),
      now: options.now,
    })
    outflow = opened
    const first = chunks
    chunks = []
    if (promisedRows !== undefined) {
      start?.timeEachRow()
      isOut = true
      options.onStream(streamedBody(opened, promisedRows))
    }
    return send(opened, first)
  }

  function send(to: Outflow, some: readonly Buffer[]): boolean {
    try {
      return some.map(chunk => to.take(chunk)).at(-1) ?? true
    } catch (error) {
      if (!(error instanceof SpoolFullError)) throw error
      throw isOut || !error.isAlone ? replicaProblem('overloaded', error) : tooManyBytes(error)
    }
  }

  function streamedBody({ stream }: Outflow, rows: number): StreamedBody {
    return {
      kind: 'streamed',
      stream,
      rowCount: rows,
      dataAsOf: start?.dataAsOf,
      sent: giveBack,
      discard: () => void stream.destroy(),
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
      const { period, today } = options
      const summary = definition.summarize({ fields: totals, rowCount, period, today })
      writer.tail(output, { totals, rowCount, summary })
      if (chunks.length === 0 && outflow === undefined && output.length <= keepMaxBytes) {
        const whole = takeAll(output)
        return makeBody(whole, etagOf(whole), rowCount, start?.dataAsOf)
      }
      promisedRows = rowCount
      flush()
      if (outflow) {
        outflow.end()
        return isOut ? undefined : streamedBody(outflow, rowCount)
      }
      const whole = Buffer.concat(chunks)
      for (const chunk of chunks) giveBack(chunk)
      return makeBody(whole, etag!.digest(), rowCount, start?.dataAsOf)
    },
    fail(error) {
      outflow?.fail(error)
      return isOut
    },
  }
}

const LETTER_T = 0x74

/** PostgreSQL prints a boolean as `t` or `f`. */
function isTrue({ bytes, starts, ends }: RowBytes, place: number): boolean {
  const start = starts[place]!
  return start >= 0 && ends[place] === start + 1 && bytes[start] === LETTER_T
}

/** @param cause for the log */
function tooManyBytes(cause: unknown): Problem {
  return new Problem(
    'result_too_large',
    {
      ru: 'Ответ слишком велик. Возьмите период короче.',
      en: 'The answer is too large. Take a shorter period.',
    },
    { cause },
  )
}

function tooManyRows({ maxRows }: ReportDefinition): Problem {
  return new Problem('result_too_large', {
    ru: `В ответе больше ${maxRows} строк. Возьмите период короче.`,
    en: `The answer has more than ${maxRows} rows. Take a shorter period.`,
  })
}
