/**
 * Limits of sizes: of one body, and of all in memory that are being sent or wait to be merged, in total and per
 * organization. why: they use memory even if the cache has evicted them.
 */
import { Problem } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'

const ORGANIZATION_SHARE = 0.5

export type OutgoingBodies = ReturnType<typeof createOutgoingBodies>

export function createOutgoingBodies(maxBytes: Bytes) {
  const shareBytes = Math.floor(maxBytes * ORGANIZATION_SHARE)
  let used = 0
  const usedBy = new Map<string, Bytes>()
  /** Bodies with their clients, which share the bytes: they count once, for the organization of the first. */
  const sent = new Map<Buffer, { readonly owner: string; clientCount: number }>()

  function count(owner: string, byteCount: Bytes): void {
    used += byteCount
    const ofOwner = (usedBy.get(owner) ?? 0) + byteCount
    if (ofOwner === 0) usedBy.delete(owner)
    else usedBy.set(owner, ofOwner)
  }

  return {
    byteCount: (): Bytes => used,
    /** True also if the same bytes are already being sent to another client. */
    fits: (organizationId: string, bytes: Buffer): boolean =>
      sent.has(bytes) ||
      ((usedBy.get(organizationId) ?? 0) + bytes.length <= shareBytes &&
        used + bytes.length <= maxBytes),
    /** Counts the bytes until the returned function is called. */
    begin(organizationId: string, bytes: Buffer): () => void {
      const body = sent.get(bytes) ?? { owner: organizationId, clientCount: 0 }
      if (body.clientCount === 0) count(organizationId, bytes.length)
      body.clientCount += 1
      sent.set(bytes, body)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        body.clientCount -= 1
        if (body.clientCount > 0) return
        sent.delete(bytes)
        count(body.owner, -bytes.length)
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

export function tooManyBytes(): Problem {
  return new Problem('result_too_large', {
    ru: 'Ответ слишком велик. Возьмите период короче.',
    en: 'The response is too large. Request a shorter period.',
  })
}
