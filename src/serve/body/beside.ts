/**
 * The same rows in a second format, for as long as they are few enough to be kept: whoever asks for
 * that one next, or for a third, needs no run.
 */
import type { Ending, Format, Subject } from '../formats/format.ts'
import { CHUNK_BYTES, giveBack } from '../formats/output.ts'
import type { RowBytes } from '../../model/row-bytes.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import type { Body } from './body.ts'
import { createGathered } from './gathered.ts'

export interface Beside {
  row(row: RowBytes, places: readonly number[]): void
  /** Undefined where the answer is too large to keep. */
  finish(ending: Ending, dataAsOf: Instant | undefined): Body | undefined
}

export function createBeside(format: Format, subject: Subject, keepMaxBytes: Bytes): Beside {
  const writer = format.createWriter(subject)
  let gathered: ReturnType<typeof createGathered> | undefined = createGathered(format.isText)
  writer.head(gathered.output)

  function gather(): void {
    if (gathered === undefined || gathered.gather() <= keepMaxBytes) return
    for (const chunk of gathered.release()) giveBack(chunk)
    gathered = undefined
  }

  return {
    row(row, places) {
      if (gathered === undefined) return
      writer.row(gathered.output, row, places)
      if (gathered.output.length >= CHUNK_BYTES) gather()
    },
    finish(ending, dataAsOf) {
      if (gathered === undefined) return undefined
      writer.tail(gathered.output, ending)
      const body = gathered.whole(ending.rowCount, dataAsOf)
      return body.byteCount <= keepMaxBytes ? body : undefined
    },
  }
}
