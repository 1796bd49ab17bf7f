/**
 * Decides when a value is served from the cache (fresh, stale, collapsed) and when it is loaded.
 * Knows neither formats nor SQL nor HTTP.
 */
import { Problem, type ProblemCode } from '../../model/errors.ts'
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
import { failureEntry, isRemembered } from './remembered-failures.ts'
import { createSingleFlight } from './single-flight.ts'
import { createStore } from './store.ts'

/** The result of a load. */
export interface Cacheable {
  /** Of memory. */
  readonly byteCount: Bytes
  /** The data is at least as new as this; undefined if unknown. */
  readonly dataAsOf?: Instant | undefined
  /** Whether the value has been deleted: it is loaded again. */
  readonly isGone?: boolean
  /** Called when the value has expired, or was replaced or evicted. */
  discard?(): void
}

interface CacheRequest {
  /** Equal keys have equal values; includes the organization. */
  readonly key: string
  readonly organization: { readonly id: string }
  readonly definition: {
    readonly name: string
    readonly timeoutMs: Milliseconds
    readonly staleSeconds: Seconds
  }
  readonly freshSeconds: Seconds
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
  /** Until the value is stale; negative if it is. */
  readonly ttlSeconds: Seconds
}

export interface Cached<V> extends CacheMetadata {
  readonly key: string
  readonly value: V
  readonly entry: Entry
}

/** What is known of a value. */
export interface Entry {
  readonly value: Cacheable
  /** Differs for any two entries. */
  readonly version: number
  readonly startedAt: Milliseconds
  freshUntil: Milliseconds
  readonly staleUntil: Milliseconds
  /** A client was sent away before it had the value: the next request gets it, whatever its age. */
  isOwed: boolean
  /** False if the value is not cached. */
  isStored: boolean
  /** Of a load that failed: it has no value. */
  readonly problem?: Problem
}

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
  const flights = createSingleFlight<Entry>()
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

  /** Caches the value, unless it is older than the cached one. */
  function put(
    { key, organization, definition, freshSeconds }: CacheRequest,
    value: Cacheable,
    startedAt: Milliseconds,
    isOwed: boolean,
  ): Entry {
    const freshUntil = startedAt + freshSeconds * 1000 * (1 - FRESH_JITTER * random())
    const staleUntil = startedAt + definition.staleSeconds * 1000
    version += 1
    const entry = { value, version, startedAt, freshUntil, staleUntil, isOwed, isStored: false }
    const cached = store.get(key)
    if (cached && cached.value.isGone !== true && isOlder(value, cached.value)) {
      // why: no newer data is available now; the cached value stays fresh as if it had just been loaded
      cached.freshUntil = Math.min(freshUntil, Math.max(cached.freshUntil, cached.staleUntil))
      cached.isOwed ||= isOwed
    } else {
      cached?.value.discard?.()
      entry.isStored = store.set(key, organization.id, entry, value.byteCount)
    }
    return entry
  }

  async function loadAndPut(
    request: CacheRequest,
    load: (stop: Stop) => Promise<Cacheable>,
    stop: Stop,
    isOwed: () => boolean,
  ): Promise<Entry> {
    const { organization, definition } = request
    const startedAt = now()
    // why: an entry of its own, since the value of the key may still be served stale
    const keyOfFailure = `${request.key} failed`
    const failure = find(keyOfFailure, startedAt)
    if (failure !== undefined) {
      observe({ kind: 'execution-spared', definition: definition.name })
      throw failure.problem!
    }
    try {
      return put(request, await load(stop), startedAt, isOwed())
    } catch (error) {
      if (isRemembered(error) && stop.reason === undefined) {
        const failed = failureEntry(error, definition.timeoutMs, now())
        store.set(keyOfFailure, organization.id, failed, 0)
      }
      throw error
    }
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
      return cachedFrom(key, entry, 'hit', nowMs)
    },
    /**
     * Counts more bytes of a cached value. False, without a change, if the value is no longer cached or its size would
     * exceed the organization's share.
     */
    grow({ key, entry }: Cached<Cacheable>, byteCount: Bytes): boolean {
      return store.get(key) === entry && store.grow(key, byteCount)
    },
    /** @throws what `load` throws, if no stale value may be served instead; the reason of the stop */
    async get<V extends Cacheable>(
      request: CacheRequest,
      load: (stop: Stop) => Promise<V>,
    ): Promise<Cached<V>> {
      const { key, newOnly } = request
      const requestedAt = now()
      const found = find(key, requestedAt)
      const entry = newOnly && found?.isOwed !== true ? undefined : found
      if (entry && (entry.isOwed || requestedAt < entry.freshUntil)) {
        return cachedFrom(key, entry, 'hit', requestedAt)
      }
      try {
        const loading = (stop: Stop, isOwed: () => boolean) =>
          loadAndPut(request, load, stop, isOwed)
        const flight = flights.join(key, loading, request)
        const loaded = await flight.result
        const loadedAt = now()
        const newer = newOnly || loaded.isStored ? undefined : find(key, loadedAt)
        // why: replicas lag differently
        if (newer && isOlder(loaded.value, newer.value)) {
          return cachedFrom(key, newer, 'hit', loadedAt)
        }
        const outcome = flight.isCollapsed ? 'collapsed' : 'miss'
        const forwarded = newOnly ? 'request' : entry ? 'stale' : 'miss'
        return cachedFrom(key, loaded, outcome, loadedAt, forwarded)
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
  outcome: CacheOutcome,
  nowMs: Milliseconds,
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
