// The organizations whose rows a response contains, for every format and content coding.
import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { parquetReadObjects } from 'hyparquet'

/** @returns the organization of each mark in a body. */
export async function marksIn(
  bytes: Buffer,
  format: string,
  coding: string | undefined,
): Promise<number[]> {
  const text = await textOf(coding === 'gzip' ? gunzipSync(bytes) : bytes, format)
  return [...text.matchAll(/mark of (\d+)/g)].map(([, organization]) => Number(organization))
}

async function textOf(bytes: Buffer, format: string): Promise<string> {
  if (format === 'xlsx') {
    return Object.values(unzipSync(bytes))
      .map(file => Buffer.from(file).toString())
      .join('\n')
  }
  if (format !== 'parquet') return bytes.toString()
  const file = new Uint8Array(bytes).buffer
  const compressors = { GZIP: (input: Uint8Array) => gunzipSync(input) }
  const rows = await parquetReadObjects({ file, compressors })
  return rows.map(({ mark }) => String(mark)).join('\n')
}
