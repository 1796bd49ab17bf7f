/** Limits the response bytes that are buffered for slow clients, in total and per organization. */
import { Problem } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'

export interface BufferedBytes {
  /** Limit of one organization. */
  readonly share: Bytes
  byteCount(): Bytes
  of(organizationId: string): Bytes
  /** Whether this many more bytes may be buffered; if not, which limit they exceed. */
  fits(organizationId: string, byteCount: Bytes): 'yes' | 'share is full' | 'all is full'
  /** @param byteCount negative to release bytes */
  add(organizationId: string, byteCount: Bytes): void
}

/** The fraction of the limit that slow clients of one organization may use. */
const ORGANIZATION_SHARE = 0.5

export function createBufferedBytes(maxBytes: Bytes): BufferedBytes {
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
      const organizationBytes = of(organizationId) + byteCount
      if (organizationBytes === 0) usedBy.delete(organizationId)
      else usedBy.set(organizationId, organizationBytes)
    },
  }
}

/**
 * Limits the bytes of whole responses that are being sent, in total and per organization.
 * why: they use memory even if the cache has evicted them.
 */
export interface OutgoingBodies {
  /** True also if the same bytes are already being sent to another client. */
  fits(organizationId: string, bytes: Buffer): boolean
  /** Counts the bytes until the returned function is called. */
  begin(organizationId: string, bytes: Buffer): () => void
  byteCount(): Bytes
}

export function createOutgoingBodies(maxBytes: Bytes): OutgoingBodies {
  const buffered = createBufferedBytes(maxBytes)
  /** Clients of each body. Clients of one cached response share its bytes, which count once. */
  const clientCounts = new Map<Buffer, number>()

  return {
    byteCount: () => buffered.byteCount(),
    fits: (organizationId, bytes) =>
      clientCounts.has(bytes) || buffered.fits(organizationId, bytes.length) === 'yes',
    begin(organizationId, bytes) {
      const count = clientCounts.get(bytes) ?? 0
      clientCounts.set(bytes, count + 1)
      if (count === 0) buffered.add(organizationId, bytes.length)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        const remaining = clientCounts.get(bytes)! - 1
        if (remaining > 0) clientCounts.set(bytes, remaining)
        else {
          clientCounts.delete(bytes)
          buffered.add(organizationId, -bytes.length)
        }
      }
    },
  }
}

/** @param cause is only logged */
export function tooMuchBuffered(cause?: unknown): Problem {
  return new Problem(
    'overloaded',
    {
      ru: 'Для ответа сейчас нет места: другие большие ответы ещё не прочитаны. Дочитайте начатые и повторите запрос.',
      en: 'The response cannot be buffered now: other large responses are still being read. Finish reading them, then try again.',
    },
    { retryAfterSeconds: 10, cause },
  )
}
