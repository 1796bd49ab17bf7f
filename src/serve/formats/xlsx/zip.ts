/** Writes parts into a zip file: fflate writes the structure, zlib compresses. Knows nothing of sheets. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'
import type { Bytes } from '../../../model/terms.ts'
import { OutputFullError } from '../format.ts'
import { createOutput, writeText } from '../output.ts'

/** Maximum size of a part without zip64 records. */
const MAX_PART_BYTES: Bytes = 2 ** 32 - 1
/** So much is compressed at once, in less than a millisecond. */
const PIECE_BYTES: Bytes = 128 * 1024
/** The window of deflate. */
const WINDOW_BYTES: Bytes = 32 * 1024
/** measured, 10,000 rows of 15 columns: level 1 writes 0.92 MB in 16 ms, 2: 0.88 MB in 17 ms, 4: 0.84 MB in 24 ms. */
const LEVEL = 2
const DEFLATED = 8
const NOTHING = Buffer.alloc(0)

export function createZipFile(take: (bytes: Uint8Array) => void, maxPartBytes = MAX_PART_BYTES) {
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    take(bytes)
  })
  // why: the earliest date of the zip format; fflate reads local time
  const mtime = new Date(1980, 0, 1)
  let part: ZipInputFile | undefined
  const pending = createOutput(false)
  let dictionary = NOTHING

  function compress(isLast: boolean): void {
    if (part === undefined) return
    const bytes = pending.bytes.subarray(0, pending.length)
    pending.length = 0
    part.size += bytes.length
    if (part.size > maxPartBytes) {
      throw new OutputFullError(texts => texts.sheetTooLarge)
    }
    part.crc = crc32(bytes, part.crc)
    // why: Node has no synchronous deflate stream. Pieces with a sync flush and the last window as dictionary form one
    const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH
    part.ondata!(null, deflateRawSync(bytes, { level: LEVEL, finishFlush, dictionary }), isLast)
    dictionary = isLast ? NOTHING : Buffer.from(bytes.subarray(-WINDOW_BYTES))
  }

  return {
    /** @throws OutputFullError if the part exceeds its maximum size, here or at the end */
    write(filename: string, xml: string): void {
      if (part?.filename !== filename) {
        compress(true)
        part = { filename, size: 0, crc: 0, compression: DEFLATED, mtime }
        zip.add(part)
      }
      writeText(pending, xml)
      if (pending.length >= PIECE_BYTES) compress(false)
    },
    end(): void {
      compress(true)
      zip.end()
    },
  }
}
