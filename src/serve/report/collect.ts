/**
 * Collects the chunks of an encoded report. A small report is cached whole; a large one is streamed. If the
 * number of rows is unknown, the stream begins after the last row, from a spill file: a report with too many
 * rows must be rejected before its first byte is sent.
 */
import type { Problem } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'
import type { Encoding } from './encode.ts'
import { ReaderFullError } from '../database/statement-request.ts'
import { SpillFullError } from './spill-file.ts'
import type { SpillFile, SpillFiles } from './spill-file.ts'
import { tooManyBytes } from './too-large.ts'
import { tooMuchBuffered } from './buffered-bytes.ts'

export type Collected =
  | { readonly kind: 'whole'; readonly chunks: readonly Buffer[] }
  /** The first chunks; the encoding has the rest. */
  | { readonly kind: 'begun'; readonly chunks: readonly Buffer[]; readonly rowCount: number }
  /** The whole body, in a file. */
  | { readonly kind: 'spilled'; readonly file: SpillFile; readonly byteCount: Bytes }

/** @throws Problem `result_too_large`, `overloaded`; what the chunks throw. */
export async function collect(
  encoding: Encoding,
  options: {
    readonly organizationId: string
    /** Larger bodies are not cached. */
    readonly maxBytes: Bytes
    /** The length must be known before the first byte is sent. */
    readonly wholeOnly: boolean
    /** Undefined if spill files are disabled. */
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
  const rowCount = encoding.declaredRowCount()
  if (rowCount !== undefined && !wholeOnly) return { kind: 'begun', chunks: collected, rowCount }
  if (spillFiles === undefined) throw tooManyBytes(undefined)
  let file: SpillFile | undefined
  try {
    file = await spillFiles.open(organizationId)
    for (const chunk of collected.splice(0)) await file.append(chunk)
    for await (const chunk of chunks) {
      await file.append(chunk)
      byteCount += chunk.length
    }
    return { kind: 'spilled', file, byteCount }
  } catch (error) {
    await file?.close()
    throw error instanceof ReaderFullError ? problemOf(error) : error
  }
}

/** The length of a body is estimated from its first rows once they reach this part of `maxBytes`. */
const SAMPLE = 1 / 8
/** Rows differ in length, so an estimate must exceed `maxBytes` by this factor. */
const FAR = 4

/** why: saves collecting the first megabytes of an export that cannot be cached */
function isFarTooLarge(encoding: Encoding, byteCount: Bytes, maxBytes: Bytes): boolean {
  if (byteCount < maxBytes * SAMPLE) return false
  const rowCount = encoding.rowCount()
  const declared = encoding.declaredRowCount() ?? rowCount
  return rowCount > 0 && (byteCount / rowCount) * declared > FAR * maxBytes
}

function problemOf(error: ReaderFullError): Problem {
  const isTooLarge = error instanceof SpillFullError && error.isFileTooLarge
  return isTooLarge ? tooManyBytes(error) : tooMuchBuffered(error)
}
