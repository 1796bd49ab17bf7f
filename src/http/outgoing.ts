/**
 * The bytes of whole answers that their readers have not taken yet: the cache may have let go of them,
 * and they are memory all the same. Bounded, and for one organization at half of that.
 */
import { Problem } from '../errors.ts'
import type { Bytes } from '../terms.ts'

export interface Outgoing {
  /** Whether there is room for an answer that nobody is reading yet. */
  hasRoom(organizationId: string, bytes: Buffer): boolean
  /** From now on it is being read. Answers what to call when it no longer is. */
  begin(organizationId: string, bytes: Buffer): () => void
  byteCount(): Bytes
}

/** One organization's slow readers may not take the room of all others'. */
const ORGANIZATION_SHARE = 0.5

export function createOutgoing(maxBytes: Bytes): Outgoing {
  const share = Math.floor(maxBytes * ORGANIZATION_SHARE)
  /** Readers of one kept answer share its bytes. */
  const readers = new Map<Buffer, number>()
  const usedBy = new Map<string, Bytes>()
  let used = 0

  function add(organizationId: string, byteCount: Bytes): void {
    used += byteCount
    const theirs = (usedBy.get(organizationId) ?? 0) + byteCount
    if (theirs === 0) usedBy.delete(organizationId)
    else usedBy.set(organizationId, theirs)
  }

  return {
    byteCount: () => used,
    hasRoom: (organizationId, bytes) =>
      readers.has(bytes) ||
      (used + bytes.length <= maxBytes &&
        (usedBy.get(organizationId) ?? 0) + bytes.length <= share),
    begin(organizationId, bytes) {
      const count = readers.get(bytes) ?? 0
      readers.set(bytes, count + 1)
      if (count === 0) add(organizationId, bytes.length)
      let isReading = true
      return () => {
        if (!isReading) return
        isReading = false
        const left = readers.get(bytes)! - 1
        if (left > 0) readers.set(bytes, left)
        else {
          readers.delete(bytes)
          add(organizationId, -bytes.length)
        }
      }
    },
  }
}

export function noRoomToSend(): Problem {
  return new Problem(
    'overloaded',
    {
      ru: 'Слишком много ответов ещё не прочитано. Дочитайте начатые и повторите запрос.',
      en: 'Too many answers have not been read to their end. Finish those, then try again.',
    },
    { retryAfterSeconds: 10 },
  )
}
