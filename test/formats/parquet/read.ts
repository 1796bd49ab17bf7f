/** Parquet files read by DuckDB. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBInstance, Json } from '@duckdb/node-api'
import { PARQUET_FORMAT } from '../../../src/formats/parquet/parquet.ts'
import { COLUMN_TYPES, type ColumnType, type RawField } from '../../../src/terms.ts'
import { EVERY_TYPE } from '../every-type.ts'
import { written, type Row } from '../written.ts'

export type Fields = Readonly<Partial<Record<ColumnType, string | Buffer | null>>>

/** A row of `EVERY_TYPE`: what is not given is null. */
export function rowOfTypes(fields: Fields): Row {
  return COLUMN_TYPES.map(type => fields[type] ?? null)
}

export function parquetOf(rows: readonly Fields[], totals: Record<string, RawField> = {}): Buffer {
  return written(PARQUET_FORMAT, EVERY_TYPE, rows.map(rowOfTypes), totals)
}

/** @param sql `file` in it is the file's name */
export async function query(body: Buffer, sql: string): Promise<Array<Record<string, Json>>> {
  const folder = mkdtempSync(join(tmpdir(), 'svodka-parquet-'))
  const path = join(folder, 'report.parquet')
  try {
    writeFileSync(path, body)
    const connection = await (await started()).connect()
    try {
      const answer = await connection.runAndReadAll(sql.replaceAll('file', `'${path}'`))
      return answer.getRowObjectsJson()
    } finally {
      connection.closeSync()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let duck: Promise<DuckDBInstance> | undefined

/** why: its library has 70 MB, and is loaded by those tests only that ask it */
function started(): Promise<DuckDBInstance> {
  duck ??= import('@duckdb/node-api').then(({ DuckDBInstance }) => DuckDBInstance.create())
  return duck
}
