/** Decodes content codings, as a client. */
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Coding } from '../../src/serve/body/content-coding.ts'

interface Zstd {
  readonly zstdDecompress: typeof zlib.gunzip
  readonly createZstdDecompress: () => Transform
}

/** @throws Error if the bytes are incomplete */
export async function decode(bytes: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return bytes
  if (coding === 'gzip') return promisify<Buffer, Buffer>(zlib.gunzip)(bytes)
  if (coding === 'br') return promisify<Buffer, Buffer>(zlib.brotliDecompress)(bytes)
  return promisify<Buffer, Buffer>((zlib as unknown as Zstd).zstdDecompress)(bytes)
}

export function createDecoder(coding: Coding): Transform {
  if (coding === 'gzip') return zlib.createGunzip()
  if (coding === 'br') return zlib.createBrotliDecompress()
  return (zlib as unknown as Zstd).createZstdDecompress()
}

/** Rows like those of a register. */
export function registerText(rowCount: number): Buffer {
  const categories = ['Аренда помещений', 'Командировки', 'Зарплата', 'Продажа товаров']
  const rows = Array.from({ length: rowCount }, (_, at) => ({
    operation_id: String(190638 + at),
    date: `2026-${String(1 + (at % 12)).padStart(2, '0')}-01`,
    category: categories[(at * 7) % categories.length],
    counterparty: `ООО «Поставщик ${(at * 7919) % 613}»`,
    income: at % 3 === 0 ? null : (at * 104729) % 10_000_000,
  }))
  return Buffer.from(JSON.stringify({ rows }))
}
