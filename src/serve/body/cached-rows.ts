/** The rows of a cached report, compressed: every representation of it is encoded from them. */
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib'
import type { BrotliOptions } from 'node:zlib'
import type { RowBatch } from '../../model/row-reader.ts'
import type { Bytes } from '../../model/terms.ts'
import { withoutSlack } from './content-coding.ts'
import type { Field } from '../replica/prepared.ts'
import type { Rows } from './encode.ts'

export interface CachedRows {
  readonly fields: readonly Field[]
  readonly compressed: Buffer
  readonly byteCount: Bytes
}

const compress = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
const decompress = promisify<Buffer, Buffer>(brotliDecompress)

/** why: below this, handing it to a thread takes longer than compressing it; 11 KB take 20 us */
const SMALL_BYTES: Bytes = 32 * 1024

/** measured: 1 makes rows a tenth of their JSON at 2 us/KB; higher qualities save a quarter of that at four times the cost */
function brotliOptions(byteCount: Bytes): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      // why: a larger window takes megabytes outside of the heap, which makes V8 collect, and saves 4 % of the bytes
      [constants.BROTLI_PARAM_LGWIN]: 18,
      [constants.BROTLI_PARAM_SIZE_HINT]: byteCount,
    },
  }
}

/** @param batches of the result, totals row included */
export async function compressRows(
  fields: readonly Field[],
  batches: readonly RowBatch[],
): Promise<CachedRows> {
  const all = batches.length === 1 ? batches[0]! : Buffer.concat(batches)
  const options = brotliOptions(all.length)
  const found =
    all.length < SMALL_BYTES ? brotliCompressSync(all, options) : await compress(all, options)
  const compressed = withoutSlack([found])
  return { fields, compressed, byteCount: compressed.length }
}

export async function readCachedRows({ fields, compressed }: CachedRows): Promise<Rows> {
  const batch: RowBatch = await decompress(compressed)
  return { fields, batches: once(batch) }
}

async function* once(batch: RowBatch): AsyncGenerator<RowBatch, void> {
  if (batch.length > 0) yield batch
}
