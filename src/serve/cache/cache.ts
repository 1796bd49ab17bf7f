/**
 * Decides when a value is served from the cache (fresh, stale, collapsed) and when it is loaded.
 * Knows neither formats nor SQL nor HTTP.
 */
import { Problem } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type {
  Bytes,
  CacheOutcome,
  Clock,
  Instant,
  Milliseconds,
  Seconds,
} from '../../model/terms.ts'
import { createSingleFlight } from './single-flight.ts'
import { createStore } from './store.ts'

/** The result of a load. */
export interface Cacheable {
  /** Of memory. */
  readonly byteCount: Bytes
  /** The data is at least as new as this; undefined if unknown. */
  readonly dataAsOf?: Instant | undefined
  /** Whether the value has been deleted: it is loaded again. */
  isGone?(): boolean
  /** Called when the value is no longer cached. */
  discard?(): void
}

export interface CacheRequest {
  /** Equal keys have equal values; includes the organization. */
  readonly key: string
  readonly organizationId: string
  readonly freshSeconds: Seconds
  readonly staleSeconds: Seconds
  /** The client requested a load that starts after its request. */
  readonly newOnly: boolean
  /** The client has disconnected, or its deadline has passed. */
  readonly stop: Stop
}

/** How the cache served a request. */
export interface CacheMetadata {
  readonly outcome: CacheOutcome
  /** Why the value was loaded: RFC 9211's `fwd`. */
  readonly forwarded: 'miss' | 'stale' | 'request' | undefined
  readonly stored: boolean
  readonly ageSeconds: Seconds
  /** Until the value is stale; negative if it is. Undefined if it is not cached. */
  readonly ttlSeconds: Seconds | undefined
}

export interface Cached<V> extends CacheMetadata {
  readonly key: string
  readonly value: V
  /** A client was sent away before the end of the load. */
  readonly isOwed: boolean
  /** Differs for any two cached values; undefined if the value is not cached. */
  readonly version: number | undefined
}

export interface Cache {
  /** @throws what `load` throws, if no stale value may be served instead; the reason of the stop. */
  get<V extends Cacheable>(
    request: CacheRequest,
    load: (stop: Stop) => Promise<V>,
  ): Promise<Cached<V>>
  /** The cached value of the key, if it is fresh. Undefined if it is owed. */
  hit(key: string, nowMs: Milliseconds): Cached<Cacheable> | undefined
  /**
   * Counts more bytes of a cached value. False, without a change, if the value is no longer cached or its size would
   * exceed the organization's share.
   */
  grow(key: string, value: Cacheable, byteCount: Bytes): boolean
  /** The value was delivered, so that it is not owed any more, or its client was sent away, which is owed the value. */
  settle(cached: Pick<Cached<Cacheable>, 'key' | 'version'>, isDelivered: boolean): void
  byteCount(): Bytes
  entryCount(): number
  /** Stops all loads. */
  stop(): void
}

interface Entry {
  readonly value: Cacheable
  readonly version: number
  readonly startedAt: Milliseconds
  freshUntil: Milliseconds
  readonly staleUntil: Milliseconds
  /** The next request gets the value, whatever its age. */
  isOwed: boolean
}

interface Loaded {
  readonly value: Cacheable
  readonly startedAt: Milliseconds
  /** Undefined if it is not cached. */
  readonly version: number | undefined
}

/** Fresh periods are shortened by up to this part, so that values loaded together do not expire together. */
const FRESH_JITTER = 0.1

const SERVE_STALE_ON: ReadonlySet<ProblemCode> = new Set([
  'replica_unavailable',
  'report_timeout',
  'overloaded',
  'rate_limited',
])

export function createCache(options: {
  readonly maxBytes: Bytes
  readonly observe: Observe
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
}): Cache {
  const { observe, now, random } = options
  const store = createStore<Entry>(
    options.maxBytes,
    reason => observe({ kind: 'cache-evicted', reason }),
    ({ value }) => value.discard?.(),
  )
  const flights = createSingleFlight<Loaded>()
  let version = 0

  /** The entry, if it is fresh or stale; others are evicted. */
  function find(key: string, nowMs: Milliseconds): Entry | undefined {
    const entry = store.get(key)
    if (entry === undefined) return undefined
    const isExpired = !entry.isOwed && nowMs >= Math.max(entry.freshUntil, entry.staleUntil)
    if (!isExpired && entry.value.isGone?.() !== true) return entry
    store.delete(key)
    observe({ kind: 'cache-evicted', reason: isExpired ? 'expired' : 'space' })
    return undefined
  }

  /** @returns the version of the cached value; undefined if it is not cached, as if it is older than the cached one */
  function put(
    request: CacheRequest,
    value: Cacheable,
    startedAt: Milliseconds,
    isOwed: boolean,
  ): number | undefined {
    const { key, organizationId, freshSeconds, staleSeconds } = request
    const freshUntil = startedAt + freshSeconds * 1000 * (1 - FRESH_JITTER * random())
    const staleUntil = startedAt + staleSeconds * 1000
    const cached = store.get(key)
    if (cached && cached.value.isGone?.() !== true && isOlder(value, cached.value)) {
      // why: no newer data is available now; the cached value stays fresh as if it had just been loaded
      cached.freshUntil = Math.min(freshUntil, Math.max(cached.freshUntil, cached.staleUntil))
      return undefined
    }
    version += 1
    const entry = { value, version, startedAt, freshUntil, staleUntil, isOwed }
    return store.set(key, organizationId, entry, value.byteCount) ? version : undefined
  }

  return {
    byteCount: () => store.byteCount(),
    entryCount: () => store.entryCount(),
    stop: () => flights.stop(),
    hit(key, nowMs) {
      const entry = find(key, nowMs)
      if (entry === undefined || entry.isOwed || nowMs >= entry.freshUntil) return undefined
      return cachedFrom(key, entry, 'hit', nowMs)
    },
    settle({ key, version: delivered }, isDelivered) {
      const entry = store.get(key)
      if (entry?.version === delivered) entry!.isOwed = !isDelivered
    },
    grow: (key, value, byteCount) => store.get(key)?.value === value && store.grow(key, byteCount),
    async get<V extends Cacheable>(
      request: CacheRequest,
      load: (stop: Stop) => Promise<V>,
    ): Promise<Cached<V>> {
      const { key, newOnly, freshSeconds } = request
      const requestedAt = now()
      const found = find(key, requestedAt)
      const entry = newOnly && found?.isOwed !== true ? undefined : found
      if (entry && (entry.isOwed || requestedAt < entry.freshUntil)) {
        return cachedFrom(key, entry, 'hit', requestedAt)
      }
      const loadAndStore = async (stop: Stop, isOwed: () => boolean): Promise<Loaded> => {
        const startedAt = now()
        const value = await load(stop)
        return { value, startedAt, version: put(request, value, startedAt, isOwed()) }
      }
      try {
        const flight = flights.join(key, loadAndStore, request)
        const { value, startedAt, version } = await flight.result
        const stored = version !== undefined
        const loadedAt = now()
        const newer = newOnly || stored ? undefined : find(key, loadedAt)
        // why: replicas lag differently
        if (newer && isOlder(value, newer.value)) return cachedFrom(key, newer, 'hit', loadedAt)
        return {
          key,
          // why: equal keys have equal loads, so the value of a shared load is a V
          value: value as V,
          version,
          isOwed: false,
          outcome: flight.isCollapsed ? 'collapsed' : 'miss',
          forwarded: newOnly ? 'request' : entry ? 'stale' : 'miss',
          stored,
          ageSeconds: secondsBetween(startedAt, loadedAt),
          ttlSeconds: stored ? freshSeconds : undefined,
        }
      } catch (error) {
        if (newOnly || !(error instanceof Problem && SERVE_STALE_ON.has(error.code))) throw error
        const failedAt = now()
        const stale = find(key, failedAt)
        if (stale === undefined || failedAt >= stale.staleUntil) throw error
        return cachedFrom(key, stale, failedAt < stale.freshUntil ? 'hit' : 'stale', failedAt)
      }
    },
  }
}

function isOlder({ dataAsOf }: Cacheable, than: Cacheable): boolean {
  return dataAsOf !== undefined && than.dataAsOf !== undefined && dataAsOf < than.dataAsOf
}

function cachedFrom<V>(
  key: string,
  entry: Entry,
  outcome: 'hit' | 'stale',
  nowMs: Milliseconds,
): Cached<V> {
  return {
    key,
    // why: equal keys have equal loads, so the cached value of this key is a V
    value: entry.value as V,
    version: entry.version,
    isOwed: entry.isOwed,
    outcome,
    forwarded: undefined,
    stored: false,
    ageSeconds: secondsBetween(entry.startedAt, nowMs),
    ttlSeconds: Math.floor((entry.freshUntil - nowMs) / 1000),
  }
}

function secondsBetween(earlierMs: Milliseconds, laterMs: Milliseconds): Seconds {
  return Math.max(0, Math.floor((laterMs - earlierMs) / 1000))
}
