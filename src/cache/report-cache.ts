/**
 * Fresh, stale, collapsed: when an answer is served again and when it is made anew. The load function
 * is handed in; this room knows neither SQL nor Koa.
 */
import { Problem } from '../errors.ts'
import type { ProblemCode } from '../errors.ts'
import type { Observe } from '../observation.ts'
import type { Bytes, CacheOutcome, Clock, Instant, Milliseconds, Seconds } from '../terms.ts'
import { createFlights } from './flights.ts'
import { createStore } from './store.ts'

/** What a load may bring: something with a size is kept, something without is served once. */
export interface Loaded {
  readonly byteCount?: Bytes
  /** The data is at least as new as this; undefined is unknown. */
  readonly dataAsOf?: Instant | undefined
  discard?(): void
}

export interface CacheRequest<V extends Loaded> {
  /** Equal keys have equal answers, organization included. */
  readonly key: string
  readonly organizationId: string
  readonly freshSeconds: Seconds
  readonly staleSeconds: Seconds
  /** The client asked for a run that starts after its request. */
  readonly newOnly: boolean
  readonly load: (signal: AbortSignal) => Promise<V>
  /** The client is gone. */
  readonly signal: AbortSignal
}

export interface CacheAnswer<V> {
  readonly value: V
  readonly outcome: CacheOutcome
  /** Why the cache did not answer by itself: RFC 9211's `fwd`. */
  readonly forwarded: 'miss' | 'stale' | 'request' | undefined
  readonly stored: boolean
  readonly ageSeconds: Seconds
  /** Left to be fresh; negative on a stale answer. Undefined where nothing is kept. */
  readonly ttlSeconds: Seconds | undefined
  /** Of a kept answer: no other ever kept has the same. */
  readonly serial: number | undefined
}

export interface ReportCache {
  /** @throws what `load` throws, where no stale answer may stand in; the signal's reason. */
  get<V extends Loaded>(request: CacheRequest<V>): Promise<CacheAnswer<V>>
  /** What is kept under a key that a `get` had with a `V`, where it is fresh: the hit that `get` would be. */
  hit<V extends Loaded>(key: string, nowMs: Milliseconds): CacheAnswer<V> | undefined
  byteCount(): Bytes
  entryCount(): number
}

interface Entry {
  readonly value: Loaded
  readonly serial: number
  readonly startedAt: Milliseconds
  freshUntil: Milliseconds
  readonly staleUntil: Milliseconds
}

/** One organization may not push all others out. */
const ORGANIZATION_SHARE = 0.25

/** Fresh times are cut by up to this part, so that answers made together do not expire together. */
const FRESH_JITTER = 0.1

const STALE_STANDS_IN_FOR: ReadonlySet<ProblemCode> = new Set([
  'replica_unavailable',
  'report_timeout',
  'overloaded',
])

export function createReportCache(options: {
  readonly maxBytes: Bytes
  readonly observe: Observe
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
}): ReportCache {
  const { observe, now, random } = options
  const store = createStore<Entry>({
    maxBytes: options.maxBytes,
    organizationShare: ORGANIZATION_SHARE,
    onEvict: reason => observe({ kind: 'cache-evicted', reason }),
  })
  const flights = createFlights({ discard: value => (value as Loaded).discard?.() })

  let lastSerial = 0

  function find(key: string, nowMs: Milliseconds): Entry | undefined {
    const entry = store.get(key)
    if (!entry || nowMs < Math.max(entry.freshUntil, entry.staleUntil)) return entry
    store.delete(key)
    observe({ kind: 'cache-evicted', reason: 'expired' })
    return undefined
  }

  function keep<V extends Loaded>(
    request: CacheRequest<V>,
    value: V,
    startedAt: Milliseconds,
  ): number | undefined {
    if (value.byteCount === undefined) return undefined
    const freshUntil = startedAt + request.freshSeconds * 1000 * (1 - FRESH_JITTER * random())
    const staleUntil = startedAt + request.staleSeconds * 1000
    const kept = store.get(request.key)
    if (kept && isOlder(value, kept.value)) {
      // why: nothing newer can be had now; it is asked for again as late as if it had been brought
      kept.freshUntil = Math.min(freshUntil, Math.max(kept.freshUntil, kept.staleUntil))
      return undefined
    }
    const serial = (lastSerial += 1)
    const entry = { value, serial, startedAt, freshUntil, staleUntil }
    return store.set(request.key, request.organizationId, entry, value.byteCount)
      ? serial
      : undefined
  }

  /** What is kept where it is newer than what was made: replicas are not all equally far behind. */
  function keptInstead(key: string, { value, serial }: Made<Loaded>): Entry | undefined {
    if (serial !== undefined || value.byteCount === undefined) return undefined
    const kept = find(key, now())
    return kept && isOlder(value, kept.value) ? kept : undefined
  }

  async function load<V extends Loaded>(
    request: CacheRequest<V>,
    signal: AbortSignal,
  ): Promise<Made<V>> {
    const startedAt = now()
    const value = await request.load(signal)
    return {
      value,
      startedAt,
      serial: keep(request, value, startedAt),
      discard: () => value.discard?.(),
    }
  }

  async function make<V extends Loaded>(
    request: CacheRequest<V>,
  ): Promise<Made<V> & { collapsed: boolean }> {
    const { key, newOnly, signal } = request
    const flight = flights.join({ key, newOnly, signal, load: aborted => load(request, aborted) })
    const shared = await flight.result
    if (shared.value.value.byteCount === undefined && !shared.claim()) {
      return { ...(await load(request, signal)), collapsed: false }
    }
    return { ...shared.value, collapsed: flight.collapsed }
  }

  function answerFrom<V>(
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

  return {
    byteCount: () => store.byteCount(),
    entryCount: () => store.entryCount(),
    hit(key, nowMs) {
      const entry = find(key, nowMs)
      return entry && nowMs < entry.freshUntil ? answerFrom(entry, 'hit', nowMs) : undefined
    },
    async get(request) {
      const askedAt = now()
      const entry = find(request.key, askedAt)
      if (entry && !request.newOnly && askedAt < entry.freshUntil) {
        return answerFrom(entry, 'hit', askedAt)
      }
      try {
        const made = await make(request)
        const newer = request.newOnly ? undefined : keptInstead(request.key, made)
        if (newer) return answerFrom(newer, 'hit', now())
        return {
          value: made.value,
          outcome: made.collapsed ? 'collapsed' : 'miss',
          forwarded: request.newOnly ? 'request' : entry ? 'stale' : 'miss',
          stored: made.serial !== undefined,
          ageSeconds: secondsBetween(made.startedAt, now()),
          ttlSeconds: made.serial === undefined ? undefined : request.freshSeconds,
          serial: made.serial,
        }
      } catch (error) {
        const standsIn = error instanceof Problem && STALE_STANDS_IN_FOR.has(error.code)
        const failedAt = now()
        const stale = standsIn && !request.newOnly ? find(request.key, failedAt) : undefined
        if (!stale || failedAt >= stale.staleUntil) throw error
        return answerFrom(stale, failedAt < stale.freshUntil ? 'hit' : 'stale', failedAt)
      }
    },
  }
}

interface Made<V> {
  readonly value: V
  readonly startedAt: Milliseconds
  /** Where it is kept. */
  readonly serial: number | undefined
  discard(): void
}

function isOlder({ dataAsOf }: Loaded, than: Loaded): boolean {
  return dataAsOf !== undefined && than.dataAsOf !== undefined && dataAsOf < than.dataAsOf
}

function secondsBetween(earlierMs: Milliseconds, laterMs: Milliseconds): Seconds {
  return Math.max(0, Math.floor((laterMs - earlierMs) / 1000))
}
