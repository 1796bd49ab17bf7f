/** Parquet. Its writer is loaded after the start. */
import type { Format } from '../format.ts'

let createParquetWriter: Format['createWriter'] | undefined

export const PARQUET_FORMAT: Format = {
  name: 'parquet',
  extension: 'parquet',
  contentType: 'application/vnd.apache.parquet',
  isText: false,
  // why: the 51 modules of the library are 26 ms of CPU, which hold the event loop for 7 ms at most (2026-11-28, Node 20.20)
  async load() {
    ;({ createParquetWriter } = await import('./parquet-writer.ts'))
  },
  createWriter: subject => createParquetWriter!(subject),
}
