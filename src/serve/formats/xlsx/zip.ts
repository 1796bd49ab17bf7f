/** Writes parts into a zip file: fflate writes the structure, zlib compresses. Knows nothing of sheets. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'
import type { Bytes } from '../../../model/terms.ts'
import { OutputFullError } from '../format.ts'

interface ZipFile {
  /** Begins a part; the previous one must have ended. */
  part(name: string): Part
  /** Writes a whole part. */
  whole(name: string, text: string): void
  end(): void
}

export interface Part {
  /**
   * The bytes may be overwritten afterwards.
   * @throws OutputFullError if the part exceeds its maximum size
   */
  write(bytes: Buffer): void
  end(): void
}

/** Maximum size of a part without zip64 records. */
const MAX_PART_BYTES: Bytes = 2 ** 32 - 1

/** The window of deflate. */
const WINDOW_BYTES: Bytes = 32 * 1024
/** measured, 300,000 rows: level 1 writes 21.5 MB in 4.3 s, level 3 19.4 MB in 5.1 s, level 6 17.5 MB in 7.7 s. */
const LEVEL = 3
const DEFLATED = 8
const NONE = Buffer.alloc(0)

export function createZipFile(
  take: (bytes: Uint8Array) => void,
  maxPartBytes = MAX_PART_BYTES,
): ZipFile {
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    take(bytes)
  })

  const window = Buffer.allocUnsafe(WINDOW_BYTES)
  // why: the earliest date of the zip format; fflate reads local time
  const mtime = new Date(1980, 0, 1)

  function part(name: string): Part {
    const file: ZipInputFile = {
      filename: name,
      size: 0,
      crc: 0,
      compression: DEFLATED,
      mtime,
    }
    zip.add(file)
    let dictionary = NONE
    return {
      write(bytes) {
        if (bytes.length === 0) return
        if (file.size + bytes.length > maxPartBytes) throw partTooLarge()
        file.crc = crc32(bytes, file.crc)
        file.size += bytes.length
        // why: Node has no synchronous deflate stream. Pieces with a sync flush and the previous window as dictionary
        // form one stream
        const deflated = deflateRawSync(bytes, {
          level: LEVEL,
          finishFlush: constants.Z_SYNC_FLUSH,
          ...(dictionary.length > 0 && { dictionary }),
        })
        const lastBytes = bytes.subarray(Math.max(0, bytes.length - WINDOW_BYTES))
        dictionary = window.subarray(0, lastBytes.copy(window))
        file.ondata!(null, deflated, false)
      },
      end() {
        file.ondata!(null, deflateRawSync(NONE), true)
      },
    }
  }

  return {
    part,
    whole(name, text) {
      const newPart = part(name)
      newPart.write(Buffer.from(text))
      newPart.end()
    },
    end: () => zip.end(),
  }
}

function partTooLarge(): OutputFullError {
  return new OutputFullError({
    ru: 'Лист Excel вышел бы больше 4 ГБ. Возьмите период короче или отчёт в CSV.',
    en: 'The Excel sheet would be larger than 4 GB. Request a shorter period, or the report as CSV.',
  })
}
