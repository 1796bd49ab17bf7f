/** A file of definitions as it was read. */
import { createHash } from 'node:crypto'

export interface SourceFile {
  /** As messages name it: `sql/reports/finance/profit_loss.sql`. */
  readonly file: string
  /** The file's name without `.sql`. */
  readonly code: string
  readonly text: string
  /** Hash of its bytes. */
  readonly version: string
}

export interface DefinedFile {
  /** As messages name it: `sql/reports/finance/profit_loss.sql`. */
  readonly file: string
  /** Changes with the file's bytes and with its lines of `tenancy.yaml` and `product.yaml`: part of every cache key. */
  readonly version: string
}

export function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('base64url').slice(0, 16)
}

/** Names of SQL columns that are also JSON keys. */
export const NAME = /^[a-z_][a-z0-9_]{0,62}$/
export const NAME_EXPECTED = 'expected a-z, 0-9 and _, at most 63, no digit first'
