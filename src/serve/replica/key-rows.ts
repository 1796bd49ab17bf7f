/** What a key look-up sends and what its rows hold. Knows no connection. */
import type { KeyHash } from '../access/api-key.ts'
import { rawField } from '../../model/row-bytes.ts'
import type { RowBytes } from '../../model/row-bytes.ts'
import type { AccessRow } from './access-row-checks.ts'

/** Where the fields of a look-up stand; `AccessDefinition.text` selects them in this order. */
const PLACE = { keyHash: 0, id: 1, idType: 2, timeZone: 3, entitled: 4 } as const

/** As PostgreSQL reads a `bytea[]`: pg would make it of Buffers, one by one. */
export function byteaArray(hashes: readonly KeyHash[]): string {
  return `{${hashes.map(hash => `"\\\\x${hash}"`).join(',')}}`
}

/** Of a field printed as `\x` and hex digits; undefined where it is null. */
export function hashIn({ bytes, starts, ends }: RowBytes): KeyHash | undefined {
  const start = starts[PLACE.keyHash]!
  return start === -1 ? undefined : bytes.toString('latin1', start + 2, ends[PLACE.keyHash])
}

export function accessRowIn(row: RowBytes): AccessRow {
  return {
    id: rawField(row, PLACE.id),
    idType: rawField(row, PLACE.idType) ?? '',
    timeZone: rawField(row, PLACE.timeZone),
    entitled: rawField(row, PLACE.entitled) === 't',
  }
}
