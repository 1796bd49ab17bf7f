/** Counts bytes by organization, and limits the memory of the bodies that are being sent. */
import { Problem } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'

const ORGANIZATION_SHARE = 0.5

/** Bytes in use, with a limit for all organizations and one for each. */
export function createCountedBytes(maxBytes: Bytes) {
  const usedBy = new Map<string, Bytes>()
  let used = 0
  const of = (organizationId: string): Bytes => usedBy.get(organizationId) ?? 0
  return {
    /** Limit of one organization. */
    share: Math.floor(maxBytes * ORGANIZATION_SHARE),
    byteCount: () => used,
    of,
    /** @param byteCount negative to release bytes */
    add(organizationId: string, byteCount: Bytes): void {
      used += byteCount
      const organizationBytes = of(organizationId) + byteCount
      if (organizationBytes === 0) usedBy.delete(organizationId)
      else usedBy.set(organizationId, organizationBytes)
    },
  }
}

/**
 * Limits the bytes of memory bodies that are being sent, in total and per organization.
 * why: they use memory even if the cache has evicted them.
 */
export type OutgoingBodies = ReturnType<typeof createOutgoingBodies>

export function createOutgoingBodies(maxBytes: Bytes) {
  const counted = createCountedBytes(maxBytes)
  /** Bodies with their clients, which share the bytes: they count once, for the organization of the first. */
  const sent = new Map<Buffer, { readonly owner: string; clientCount: number }>()

  return {
    byteCount: (): Bytes => counted.byteCount(),
    /** True also if the same bytes are already being sent to another client. */
    fits: (organizationId: string, bytes: Buffer): boolean =>
      sent.has(bytes) ||
      (counted.of(organizationId) + bytes.length <= counted.share &&
        counted.byteCount() + bytes.length <= maxBytes),
    /** Counts the bytes until the returned function is called. */
    begin(organizationId: string, bytes: Buffer): () => void {
      const body = sent.get(bytes) ?? { owner: organizationId, clientCount: 0 }
      if (body.clientCount === 0) counted.add(organizationId, bytes.length)
      body.clientCount += 1
      sent.set(bytes, body)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        body.clientCount -= 1
        if (body.clientCount > 0) return
        sent.delete(bytes)
        counted.add(body.owner, -bytes.length)
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
