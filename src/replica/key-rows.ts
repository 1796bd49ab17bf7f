/** What a key look-up sends and what its rows hold. Knows no connection. */
import type { KeyHash } from '../access/api-key.ts'
import { rawField } from '../row-bytes.ts'
import type { RowBytes } from '../row-bytes.ts'
import type { Organization } from '../terms.ts'

/** Where the fields of a look-up stand; `AccessDefinition.text` selects them in this order. */
const PLACE = { keyHash: 0, id: 1, idType: 2, timeZone: 3, entitled: 4 } as const

const REQUIRED = [
  [PLACE.keyHash, 'key_hash'],
  [PLACE.id, 'organization_id'],
  [PLACE.timeZone, 'time_zone'],
] as const

/** As PostgreSQL reads a `bytea[]`: pg would make it of Buffers, one by one. */
export function byteaArray(hashes: readonly KeyHash[]): string {
  return `{${hashes.map(hash => `"\\\\x${hash}"`).join(',')}}`
}

/** The name of a field that must have a value, and has none. */
export function nullIn({ starts }: RowBytes): string | undefined {
  return REQUIRED.find(([place]) => starts[place] === -1)?.[1]
}

/** Of a field printed as `\x` and hex digits. */
export function hashIn({ bytes, starts, ends }: RowBytes): KeyHash {
  return bytes.toString('latin1', starts[PLACE.keyHash]! + 2, ends[PLACE.keyHash])
}

export function organizationIn(row: RowBytes): Organization {
  return {
    id: rawField(row, PLACE.id) ?? '',
    idType: rawField(row, PLACE.idType) ?? '',
    timeZone: rawField(row, PLACE.timeZone) ?? '',
    entitled: rawField(row, PLACE.entitled) === 't',
  }
}
