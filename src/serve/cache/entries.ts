/**
 * What is kept, with the times that it may be served for. What was made of another answer has that
 * one's times, and goes with it when a newer one takes its place. Makes nothing itself.
 */
import type { Observe } from '../../model/observation.ts'
import type { Bytes, Clock, Milliseconds, Seconds } from '../../model/terms.ts'
import type { CacheAnswer, CacheRequest, Entry, Loaded } from './answers.ts'
import { createStore } from './store.ts'

/** One organization may not push all others out. */
const ORGANIZATION_SHARE = 0.25

/** Fresh times are cut by up to this part, so that answers made together do not expire together. */
const FRESH_JITTER = 0.1

export interface Entries {
  /** Undefined where nothing is kept that may be served in any case. */
  find(key: string, nowMs: Milliseconds): Entry | undefined
  /** Keeps nothing that is older than what is kept. */
  keep(request: Lasting, run: { value: Loaded; startedAt: Milliseconds }): Entry | undefined
  /** Keeps what was made of the source, as long as that. */
  keepDerived(
    source: { readonly key: string; readonly entry: Entry },
    derived: { readonly key: string; readonly organizationId: string; readonly value: Loaded },
  ): Entry | undefined
  byteCount(): Bytes
  entryCount(): number
}

export type Lasting = Pick<
  CacheRequest<Loaded>,
  'key' | 'organizationId' | 'freshSeconds' | 'staleSeconds'
>

export function createEntries(options: {
  readonly maxBytes: Bytes
  readonly observe: Observe
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
}): Entries {
  const { observe, random } = options
  const store = createStore<Entry>({
    maxBytes: options.maxBytes,
    organizationShare: ORGANIZATION_SHARE,
    onEvict: reason => observe({ kind: 'cache-evicted', reason }),
  })
  let lastSerial = 0

  function put(
    { key, organizationId }: { readonly key: string; readonly organizationId: string },
    kept: Omit<Entry, 'serial'>,
  ): Entry | undefined {
    const { byteCount } = kept.value
    if (byteCount === undefined) return undefined
    const entry = { ...kept, serial: (lastSerial += 1) }
    return store.set(key, organizationId, entry, byteCount) ? entry : undefined
  }

  /** Another answer has taken the place of what it was made of, or of what that was made of. */
  function isOutdated({ source }: Entry): boolean {
    const kept = source && store.peek(source.key)
    return kept !== undefined && (kept.serial !== source?.serial || isOutdated(kept))
  }

  return {
    byteCount: () => store.byteCount(),
    entryCount: () => store.entryCount(),
    find(key, nowMs) {
      const entry = store.get(key)
      if (!entry) return undefined
      const isOver = nowMs >= Math.max(entry.freshUntil, entry.staleUntil)
      if (!isOver && !isOutdated(entry)) return entry
      store.delete(key)
      if (isOver) observe({ kind: 'cache-evicted', reason: 'expired' })
      return undefined
    },
    keep(request, { value, startedAt }) {
      const freshUntil = startedAt + request.freshSeconds * 1000 * (1 - FRESH_JITTER * random())
      const staleUntil = startedAt + request.staleSeconds * 1000
      const kept = value.byteCount === undefined ? undefined : store.get(request.key)
      if (kept && isOlder(value, kept.value)) {
        // why: nothing newer can be had now; it is asked for again as late as if it had been brought
        kept.freshUntil = Math.min(freshUntil, Math.max(kept.freshUntil, kept.staleUntil))
        return undefined
      }
      return put(request, { value, startedAt, freshUntil, staleUntil, source: undefined })
    },
    keepDerived({ key, entry }, derived) {
      const { startedAt, freshUntil, staleUntil, serial } = entry
      const source = { key, serial }
      return put(derived, { value: derived.value, startedAt, freshUntil, staleUntil, source })
    },
  }
}

export function isOlder({ dataAsOf }: Loaded, than: Loaded): boolean {
  return dataAsOf !== undefined && than.dataAsOf !== undefined && dataAsOf < than.dataAsOf
}

/** An entry as the answer to a request. */
export function answerFrom<V>(
  entry: Entry,
  outcome: 'hit' | 'stale',
  nowMs: Milliseconds,
): CacheAnswer<V> {
  return {
    // why: equal keys have equal loads, so what is kept under this key is a V
    value: entry.value as V,
    outcome,
    forwarded: undefined,
    stored: false,
    ageSeconds: secondsBetween(entry.startedAt, nowMs),
    ttlSeconds: Math.floor((entry.freshUntil - nowMs) / 1000),
    serial: entry.serial,
  }
}

export function secondsBetween(earlierMs: Milliseconds, laterMs: Milliseconds): Seconds {
  return Math.max(0, Math.floor((laterMs - earlierMs) / 1000))
}
