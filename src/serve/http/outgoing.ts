/**
 * The bytes of whole answers that their readers have not taken yet: the cache may have let go of them,
 * and they are memory all the same. Bounded, and for one organization at half of that.
 */
import type { Bytes } from '../../model/terms.ts'
import { createUnread } from '../body/unread.ts'

export interface Outgoing {
  /** Whether a body that no client reads yet fits. */
  hasRoom(organizationId: string, bytes: Buffer): boolean
  /** From now on it is being read. Answers what to call when it no longer is. */
  begin(organizationId: string, bytes: Buffer): () => void
  byteCount(): Bytes
}

export function createOutgoing(maxBytes: Bytes): Outgoing {
  const unread = createUnread(maxBytes)
  /** Readers of one kept answer share its bytes. */
  const readers = new Map<Buffer, number>()

  return {
    byteCount: () => unread.byteCount(),
    hasRoom: (organizationId, bytes) =>
      readers.has(bytes) || unread.fits(organizationId, bytes.length) === 'yes',
    begin(organizationId, bytes) {
      const count = readers.get(bytes) ?? 0
      readers.set(bytes, count + 1)
      if (count === 0) unread.add(organizationId, bytes.length)
      let isReading = true
      return () => {
        if (!isReading) return
        isReading = false
        const left = readers.get(bytes)! - 1
        if (left > 0) readers.set(bytes, left)
        else {
          readers.delete(bytes)
          unread.add(organizationId, -bytes.length)
        }
      }
    },
  }
}
