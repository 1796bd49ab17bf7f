/**
 * Chunks of an encoded report: whole while they are few enough to be cached, else a stream. A stream begins at
 * once if the number of rows is known by then; else after the last row, from a file, because a report with more
 * rows than it may have must be refused before its first byte is sent.
 */
import type { Problem } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'
import type { Encoding } from './encode.ts'
import { ReaderFullError } from '../replica/statement-request.ts'
import { SpillFullError } from './spill-file.ts'
import type { SpillFile, SpillFiles } from './spill-file.ts'
import { tooManyBytes } from './too-large.ts'
import { tooMuchUnread } from './unread.ts'

export type Collected =
  /** All of it. */
  | { readonly kind: 'whole'; readonly chunks: readonly Buffer[] }
  /** The first chunks, with the rest of the encoding behind them. */
  | { readonly kind: 'begun'; readonly chunks: readonly Buffer[]; readonly rowCount: number }
  /** All of it, in a file. */
  | { readonly kind: 'spilled'; readonly file: SpillFile; readonly byteCount: Bytes }

/** @throws Problem `result_too_large`, `overloaded`; SpillError; what the chunks throw. */
export async function collect(
  encoding: Encoding,
  options: {
    readonly organizationId: string
    /** A body of more bytes is not cached. */
    readonly maxBytes: Bytes
    /** Nothing is sent before its number of bytes is known. */
    readonly wholeOnly: boolean
    /** Undefined: there is no file for what is too large. */
    readonly spillFiles: SpillFiles | undefined
  },
): Promise<Collected> {
  const { organizationId, maxBytes, wholeOnly, spillFiles } = options
  const { chunks } = encoding
  const collected: Buffer[] = []
  let byteCount = 0
  for (;;) {
    const { done, value: chunk } = await chunks.next()
    if (done === true) return { kind: 'whole', chunks: collected }
    collected.push(chunk)
    byteCount += chunk.length
    if (byteCount > maxBytes || isFarTooLarge(encoding, byteCount, maxBytes)) break
  }
  const rowCount = encoding.promisedRowCount()
  if (rowCount !== undefined && !wholeOnly) return { kind: 'begun', chunks: collected, rowCount }
  if (spillFiles === undefined) throw tooManyBytes(undefined)
  const file = await spillFiles.open(organizationId)
  try {
    for (const chunk of collected.splice(0)) await file.append(chunk)
    for await (const chunk of chunks) {
      await file.append(chunk)
      byteCount += chunk.length
    }
    return { kind: 'spilled', file, byteCount }
  } catch (error) {
    await file.close()
    throw error instanceof ReaderFullError ? problemOf(error) : error
  }
}

/** A body is judged by its first rows once they have this part of `maxBytes`. */
const SAMPLE = 1 / 8
/** Rows differ in length, so by its first ones a body has to be this many times too large. */
const FAR = 4

/** why: the first megabytes of an export would be collected, and their rows compressed, for nothing */
function isFarTooLarge(encoding: Encoding, byteCount: Bytes, maxBytes: Bytes): boolean {
  if (byteCount < maxBytes * SAMPLE) return false
  const rowCount = encoding.rowCount()
  const promised = encoding.promisedRowCount() ?? rowCount
  return rowCount > 0 && (byteCount / rowCount) * promised > FAR * maxBytes
}

function problemOf(error: ReaderFullError): Problem {
  const isTooLarge = error instanceof SpillFullError && error.isAlone
  return isTooLarge ? tooManyBytes(error) : tooMuchUnread(error)
}
