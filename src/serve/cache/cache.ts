/**
 * Decides when a value is served from the cache (fresh, stale, collapsed) and when it is loaded.
 * Knows neither formats nor SQL nor HTTP.
 */
import { Problem, type ProblemCode } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Bytes, CacheOutcome, Clock, Milliseconds } from '../../model/terms.ts'
import { failureEntry, isRemembered } from './entry.ts'
import type { Cacheable, Cached, CacheMetadata, CacheRequest, Entry } from './entry.ts'
import { createSingleFlight, type Flight } from './single-flight.ts'
import { createStore } from './store.ts'

/** Fresh periods are shortened by up to this part, so that values loaded together do not expire together. */
const FRESH_JITTER = 0.1

const SERVE_STALE_ON: ReadonlySet<ProblemCode> = new Set([
  'replica_unavailable',
  'report_timeout',
  'overloaded',
  'rate_limited',
])

export type Cache = ReturnType<typeof createCache>

export function createCache(options: {
  readonly maxBytes: Bytes
  readonly observe: Observe
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
}) {
  const { observe, now, random } = options
  const store = createStore<Entry>(options.maxBytes, (reason, { value }) => {
    value.discard?.()
    observe({ kind: 'cache-evicted', reason })
  })
  const flights = createSingleFlight(now, {
    expected: rememberedFailure,
    loaded(value, flight) {
      const { request, isRefresh, startedAt } = flight
      if (isRefresh) outdate(request.otherKeys(), startedAt, value)
      return put(value, flight)
    },
    failed: noteFailure,
  })
  let version = 0

  /** The entry, if it is fresh or stale; others are evicted. */
  function find(key: string, nowMs: Milliseconds): Entry | undefined {
    const entry = store.get(key)
    if (entry === undefined) return undefined
    const isExpired = !entry.isOwed && nowMs >= Math.max(entry.freshUntil, entry.staleUntil)
    if (!isExpired && entry.value.isGone !== true) return entry
    store.delete(key)
    entry.value.discard?.()
    observe({ kind: 'cache-evicted', reason: isExpired ? 'expired' : 'space' })
    return undefined
  }

  /**
   * A refresh that began then has ended: values of these keys that were loaded before are stale, unless their data are
   * newer, and those with older data.
   * @param value undefined if the refresh has failed
   */
  function outdate(keys: readonly string[], startedAt: Milliseconds, value?: Cacheable): void {
    for (const key of keys) {
      flights.outdate(key, startedAt)
      const entry = store.peek(key)
      if (entry === undefined || isOlder(value, entry.value)) continue
      if (entry.startedAt <= startedAt || isOlder(entry.value, value))
        entry.freshUntil = entry.startedAt
    }
  }

  /** Caches the value, unless it is older than the cached one. */
  function put(value: Cacheable, flight: Flight): Entry {
    const { request, startedAt, isOutdated } = flight
    const { key, organization, definition, freshSeconds } = request
    // why: a caller comes back for it, and none waits for it
    const isOwed = flight.isOwed && flight.waiters.size === 0
    const freshMs = isOutdated ? 0 : freshSeconds * 1000 * (1 - FRESH_JITTER * random())
    const freshUntil = startedAt + freshMs
    const staleUntil = startedAt + definition.staleSeconds * 1000
    version += 1
    const entry = { value, version, startedAt, freshUntil, staleUntil, isOwed, isStored: false }
    const cached = store.get(key)
    if (cached && cached.value.isGone !== true && isOlder(value, cached.value)) {
      // why: no newer data is available now; a value that is not outdated stays fresh as if it had just been loaded
      if (!isOutdated && cached.freshUntil > cached.startedAt)
        cached.freshUntil = Math.min(freshUntil, Math.max(cached.freshUntil, cached.staleUntil))
      cached.isOwed ||= isOwed
      value.discard?.()
    } else {
      cached?.value.discard?.()
      entry.isStored = store.set(key, organization.id, entry, value.byteCount)
    }
    return entry
  }

  function noteFailure(error: unknown, { request, isRefresh, startedAt, stop }: Flight): void {
    const { key, organization, definition, otherKeys } = request
    if (!isRemembered(error)) return
    if (isRefresh) outdate([key, ...otherKeys()], startedAt)
    if (stop.reason !== undefined) return
    const failed = failureEntry(error, definition.timeoutMs, now())
    store.set(keyOfFailure(key), organization.id, failed, 0)
  }

  /** What a load failed with a moment ago. */
  function rememberedFailure({ key, definition }: CacheRequest): Problem | undefined {
    const { problem } = find(keyOfFailure(key), now()) ?? {}
    if (problem) observe({ kind: 'execution-spared', definition: definition.name })
    return problem
  }

  return {
    byteCount: (): Bytes => store.byteCount(),
    entryCount: (): number => store.entryCount(),
    /** Stops all loads. */
    stop: (): void => flights.stop(),
    /** The cached value of the key, if it is fresh. Undefined if it is owed. */
    hit(key: string, nowMs: Milliseconds): Cached<Cacheable> | undefined {
      const entry = find(key, nowMs)
      if (entry === undefined || entry.isOwed || nowMs >= entry.freshUntil) return undefined
      return cachedFrom(key, entry, nowMs)
    },
    /**
     * Counts more bytes of a cached value. False, without a change, if the value is no longer cached or its size would
     * exceed the organization's share.
     */
    grow({ key, entry }: Cached<Cacheable>, byteCount: Bytes): boolean {
      return store.get(key) === entry && store.grow(key, byteCount)
    },
    /** @throws what `load` throws, if no stale value may be served instead; the reason of the stop */
    get<V extends Cacheable>(
      request: CacheRequest,
      load: (stop: Stop) => Promise<V>,
    ): Promise<Cached<V>> {
      const { key, maxAgeSeconds } = request
      const requestedAt = now()
      const notBefore = maxAgeSeconds === 0 ? Infinity : requestedAt - maxAgeSeconds * 1000
      const entry = find(key, requestedAt)
      const isFresh = entry !== undefined && requestedAt < entry.freshUntil
      if (entry?.isOwed || (isFresh && entry.startedAt >= notBefore))
        return Promise.resolve(cachedFrom(key, entry, requestedAt))
      const isRefresh = maxAgeSeconds < Infinity
      const forwarded = isFresh || maxAgeSeconds === 0 ? 'request' : entry ? 'stale' : 'miss'

      function afterLoad(loaded: Entry, outcome: CacheOutcome): Cached<V> {
        const loadedAt = now()
        const newer = isRefresh || loaded.isStored ? undefined : find(key, loadedAt)
        // why: replicas lag differently
        if (newer && isOlder(loaded.value, newer.value)) return cachedFrom(key, newer, loadedAt)
        return cachedFrom(key, loaded, loadedAt, outcome, forwarded)
      }

      function staleAfter(error: unknown): Cached<V> | undefined {
        if (!(error instanceof Problem && SERVE_STALE_ON.has(error.code))) return undefined
        const failedAt = now()
        const stale = find(key, failedAt)
        const isUsable = stale && failedAt < stale.staleUntil && stale.startedAt >= notBefore
        return isUsable ? cachedFrom(key, stale, failedAt) : undefined
      }

      return new Promise((resolve, reject) => {
        const isCollapsed: boolean = flights.join(request, notBefore, load, {
          resolve: loaded => resolve(afterLoad(loaded, isCollapsed ? 'collapsed' : 'miss')),
          reject(error) {
            const stale = staleAfter(error)
            if (stale === undefined) reject(error)
            else resolve(stale)
          },
        })
      })
    },
  }
}

/** why: an entry of its own, since the value of the key may still be served stale */
const keyOfFailure = (key: string): string => `${key} failed`

/** False if one is unknown. */
function isOlder(value: Cacheable | undefined, than: Cacheable | undefined): boolean {
  const [asOf, asOfOther] = [value?.dataAsOf, than?.dataAsOf]
  return asOf !== undefined && asOfOther !== undefined && asOf < asOfOther
}

function cachedFrom<V>(
  key: string,
  entry: Entry,
  nowMs: Milliseconds,
  outcome: CacheOutcome = entry.isOwed || nowMs < entry.freshUntil ? 'hit' : 'stale',
  forwarded?: CacheMetadata['forwarded'],
): Cached<V> {
  return {
    key,
    // why: equal keys have equal loads, so the value of this key is a V
    value: entry.value as V,
    entry,
    outcome,
    forwarded,
    stored: forwarded !== undefined && entry.isStored,
    ageSeconds: Math.floor((nowMs - entry.startedAt) / 1000),
    ttlSeconds: Math.floor((entry.freshUntil - nowMs) / 1000),
  }
}
