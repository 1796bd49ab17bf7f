/** Bytes of answers that their readers have not taken yet: bounded together, and for one organization at half of that. */
import { Problem } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'

export interface Unread {
  /** One organization's bound. */
  readonly share: Bytes
  byteCount(): Bytes
  of(organizationId: string): Bytes
  /** Whether there is room for so many more. */
  fits(organizationId: string, byteCount: Bytes): 'yes' | 'share is full' | 'all is full'
  /** @param byteCount below 0 gives back */
  add(organizationId: string, byteCount: Bytes): void
}

/** One organization's slow readers may not take the room of all others'. */
const ORGANIZATION_SHARE = 0.5

export function createUnread(maxBytes: Bytes): Unread {
  const share = Math.floor(maxBytes * ORGANIZATION_SHARE)
  const usedBy = new Map<string, Bytes>()
  let used = 0
  const of = (organizationId: string) => usedBy.get(organizationId) ?? 0
  return {
    share,
    byteCount: () => used,
    of,
    fits(organizationId, byteCount) {
      if (of(organizationId) + byteCount > share) return 'share is full'
      return used + byteCount > maxBytes ? 'all is full' : 'yes'
    },
    add(organizationId, byteCount) {
      used += byteCount
      const theirs = of(organizationId) + byteCount
      if (theirs === 0) usedBy.delete(organizationId)
      else usedBy.set(organizationId, theirs)
    },
  }
}

/**
 * The bytes of whole responses that their clients have not read yet: the cache may have evicted them, and they are
 * memory all the same. Bounded, and for one organization at half of that.
 */
export interface Outgoing {
  /** Whether a body that no client reads yet fits. */
  hasRoom(organizationId: string, bytes: Buffer): boolean
  /** From now on it is being read. Returns what to call when it no longer is. */
  begin(organizationId: string, bytes: Buffer): () => void
  byteCount(): Bytes
}

export function createOutgoing(maxBytes: Bytes): Outgoing {
  const unread = createUnread(maxBytes)
  /** Readers of one cached response share its bytes. */
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

/** @param cause for the log */
export function tooMuchUnread(cause?: unknown): Problem {
  return new Problem(
    'overloaded',
    {
      ru: 'Для ответа сейчас нет места: другие большие ответы ещё не прочитаны. Дочитайте начатые и повторите запрос.',
      en: 'There is no room for the answer now: other large answers have not been read to their end. Finish those, then try again.',
    },
    { retryAfterSeconds: 10, cause },
  )
}
