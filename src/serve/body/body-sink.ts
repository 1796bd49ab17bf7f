/**
 * Rows to bytes. Keeps the bytes together while they are few enough to be cached, and turns into a
 * stream once they are not: at once if the number of rows is known by then, else after the last row,
 * for an answer with more rows than its report allows must be refused before its first byte is out.
 */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Problem } from '../../model/errors.ts'
import type { Ending, Format } from '../formats/format.ts'
import { CHUNK_BYTES, giveBack, inChunks, takeChunk } from '../formats/output.ts'
import { ResultShapeError } from '../replica/column-types.ts'
import type { RowSink, RunStart } from '../replica/run-statement.ts'
import { isTrue, rawField, type RowBytes } from '../../model/row-bytes.ts'
import type { Bytes, Clock, Milliseconds, RawField } from '../../model/terms.ts'
import { tooMuchUnread } from './unread.ts'
import { createBeside } from './beside.ts'
import type { Beside } from './beside.ts'
import type { Body, StreamedBody } from './body.ts'
import { createGathered } from './gathered.ts'
import { createNullDates } from './null-dates.ts'
import { createOutflow } from './outflow.ts'
import type { Outflow } from './outflow.ts'
import type { ReportRequest } from './report-request.ts'
import { layoutOf } from './row-layout.ts'
import type { RowLayout } from './row-layout.ts'
import { problemOfFile, SpoolFullError } from './spool-full.ts'
import type { Spool } from './spool.ts'
import { refusing, rowBound, tooManyBytes } from './too-large.ts'

/** A quick reader never makes a run wait so long in all, and never needs a file. */
const PATIENCE_MS: Milliseconds = 1000

const ONE_TOTALS_ROW = 'expected exactly one for every organization and period'

export interface BodySink extends RowSink {
  /** After the last row: the whole body, or undefined where a stream has been handed over. */
  finish(): Body | StreamedBody | undefined
  /** The run failed: true where a stream is out, which then ends with this error. */
  fail(error: unknown): boolean
}

/** A second format that the same rows are kept in. */
export interface Second {
  readonly format: Format
  readonly keep: (body: Body) => void
}

export function createBodySink(options: {
  readonly request: ReportRequest<ReportDefinition>
  readonly format: Format
  readonly second: Second | undefined
  /** Nothing is sent before its number of bytes is known. */
  readonly wholeOnly: boolean
  /** Above this many bytes an answer is not kept. */
  readonly keepMaxBytes: Bytes
  /** Undefined: a run waits for its reader. */
  readonly spool: Spool | undefined
  readonly now: Clock
  readonly onStream: (body: StreamedBody) => void
  /** Dates of a column that it cannot show, and that were written as null. */
  readonly onNullDates: (column: string, count: number) => void
  /** Nobody reads the stream any more; a problem is that its reader was given up by us. */
  readonly onAbandoned: (problem: Problem | undefined) => void
}): BodySink {
  const { request, format, second, keepMaxBytes, spool } = options
  const { definition, organization, period, today } = request
  const bound = rowBound(definition, format)
  const writer = refusing(format.createWriter(request))
  const gathered = createGathered(format.isText)
  const nullDates = createNullDates(organization.timeZone)
  const { output } = gathered
  let start: RunStart | undefined
  let layout: RowLayout | undefined
  let nullDatesOf: (row: RowBytes) => void
  let beside: Beside | undefined
  let totals: ReadonlyMap<string, RawField> | undefined
  let promisedRows: number | undefined
  let rowCount = 0
  let sentBytes = 0
  let outflow: Outflow | undefined
  let isOut = false

  /** False where the run has to wait. */
  function flush(): boolean {
    if (outflow) return send(outflow, [takeChunk(output)])
    return gathered.gather() <= keepMaxBytes || openStream()
  }

  function openStream(): boolean {
    const isPromised = promisedRows !== undefined && !options.wholeOnly
    if (!isPromised && spool === undefined) throw tooManyBytes(undefined)
    const opened = openOutflow(isPromised ? PATIENCE_MS : 0)
    if (promisedRows !== undefined && isPromised) {
      start?.timeEachRow()
      isOut = true
      options.onStream(streamedBody(opened, promisedRows, undefined))
    }
    return send(opened, gathered.release())
  }

  function openOutflow(patienceMs: Milliseconds): Outflow {
    outflow = createOutflow({
      spool,
      organizationId: organization.id,
      patienceMs,
      onRoom: () => start?.resume(),
      onClosed: error => void (isOut && options.onAbandoned(problemOfFile(error))),
      now: options.now,
    })
    return outflow
  }

  function send(to: Outflow, some: readonly Buffer[]): boolean {
    try {
      let hasRoom = true
      for (const chunk of some.flatMap(inChunks)) {
        sentBytes += chunk.length
        hasRoom = to.take(chunk)
      }
      return hasRoom
    } catch (error) {
      if (!(error instanceof SpoolFullError)) throw error
      throw isOut || !error.isAlone ? tooMuchUnread(error) : tooManyBytes(error)
    }
  }

  function streamedBody(from: Outflow, rows: number, byteCount: Bytes | undefined): StreamedBody {
    return {
      kind: 'streamed',
      stream: from.stream,
      rowCount: rows,
      contentLength: byteCount,
      dataAsOf: start?.dataAsOf,
      whileAtWork: isAtWork => from.whileAtWork(isAtWork),
      sent: giveBack,
      discard: () => void from.stream.destroy(),
    }
  }

  function takeTotals(row: RowBytes, { promised: place, summary, totalDates }: RowLayout): void {
    if (totals) throw new ResultShapeError(`found two totals rows, ${ONE_TOTALS_ROW}`)
    nullDates.of(totalDates)(row)
    totals = new Map(summary.map(([name, place]) => [name, rawField(row, place)]))
    const promised = rawField(row, place)
    if (promised === null) return
    promisedRows = Number(promised)
    if (promisedRows > bound.maxRows) throw bound.problem()
  }

  /** @throws ResultShapeError */
  function ending(): Ending {
    if (!totals) throw new ResultShapeError(`found no totals row, ${ONE_TOTALS_ROW}`)
    if (promisedRows !== undefined && promisedRows !== rowCount) {
      throw new ResultShapeError(
        `row_count says ${promisedRows} and there are ${rowCount} rows, expected their number`,
      )
    }
    const summary = definition.summarize({ fields: totals, rowCount, period, today })
    return { totals, rowCount, summary }
  }

  return {
    begin(runStart) {
      start = runStart
      layout = layoutOf(runStart.fields, definition)
      nullDatesOf = nullDates.of(layout.dates)
      writer.head(output)
      beside = second && createBeside(second.format, request, keepMaxBytes)
    },
    row(row) {
      if (isTrue(row, layout!.isTotal)) {
        takeTotals(row, layout!)
        return true
      }
      rowCount += 1
      if (rowCount > bound.maxRows) throw bound.problem()
      nullDatesOf(row)
      writer.row(output, row, layout!.columns)
      beside?.row(row, layout!.columns)
      return output.length < CHUNK_BYTES || flush()
    },
    rowCount: () => rowCount,
    finish() {
      const end = ending()
      writer.tail(output, end)
      nullDates.counts.forEach((count, column) => options.onNullDates(column, count))
      const kept = beside?.finish(end, start?.dataAsOf)
      if (kept) second?.keep(kept)
      if (outflow === undefined && gathered.byteCount() <= keepMaxBytes) {
        return gathered.whole(rowCount, start?.dataAsOf)
      }
      const out = outflow ?? openOutflow(0)
      send(out, [...gathered.release(), takeChunk(output)])
      out.end()
      return isOut ? undefined : streamedBody(out, rowCount, sentBytes)
    },
    fail(error) {
      outflow?.fail(error)
      return isOut
    },
  }
}
