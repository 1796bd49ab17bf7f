/**
 * Fresh, stale, collapsed: when an answer is served again and when it is made anew, by a run or of
 * another answer. What makes it is handed in; this room knows neither SQL nor Koa.
 */
import { Problem } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Bytes, Clock, Milliseconds } from '../../model/terms.ts'
import type { CacheAnswer, CacheRequest, Entry, Loaded, Make } from './answers.ts'
import { answerFrom, createEntries, isOlder, secondsBetween } from './entries.ts'
import { createFlights } from './flights.ts'

export interface ReportCache {
  /** @throws what `load` throws, where no stale answer may stand in; the signal's reason. */
  get<V extends Loaded>(request: CacheRequest<V>): Promise<CacheAnswer<V>>
  /** What is kept under a key that a `get` had with a `V`, where it is fresh: the hit that `get` would be. */
  hit<V extends Loaded>(key: string, nowMs: Milliseconds): CacheAnswer<V> | undefined
  /**
   * The same answer in another shape, which is made once and kept as long as what it is made of; where
   * that is not kept, it is made for this one alone.
   * @throws what `make` throws; the signal's reason.
   */
  derive<V extends Loaded, W extends Loaded>(
    source: { readonly key: string; readonly answer: CacheAnswer<V> },
    derived: Derived<V, W>,
  ): Promise<CacheAnswer<W>>
  byteCount(): Bytes
  entryCount(): number
}

export interface Derived<From extends Loaded, To extends Loaded> {
  readonly key: string
  readonly organizationId: string
  readonly make: Make<From, To>
  readonly signal: AbortSignal
}

const STALE_STANDS_IN_FOR: ReadonlySet<ProblemCode> = new Set([
  'replica_unavailable',
  'report_timeout',
  'overloaded',
  'rate_limited',
])

export function createReportCache(options: {
  readonly maxBytes: Bytes
  readonly observe: Observe
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
}): ReportCache {
  const { now } = options
  const entries = createEntries(options)
  const flights = createFlights({ discard: value => (value as Loaded).discard?.() })

  /** What is kept where it is newer than what was made: replicas are not all equally far behind. */
  function keptInstead(key: string, { value, serial }: Made<Loaded>): Entry | undefined {
    if (serial !== undefined || value.byteCount === undefined) return undefined
    const kept = entries.find(key, now())
    return kept && isOlder(value, kept.value) ? kept : undefined
  }

  async function load<V extends Loaded>(
    request: CacheRequest<V>,
    signal: AbortSignal,
  ): Promise<Made<V>> {
    const startedAt = now()
    let beside: { readonly key: string; readonly value: Loaded } | undefined
    const value = await request.load(signal, (key, made) => (beside = { key, value: made }))
    const kept = keep(request, { value, startedAt }, beside)
    return { value, startedAt, serial: kept?.serial, discard: () => value.discard?.() }
  }

  function keep(
    request: CacheRequest<Loaded>,
    { value, startedAt }: Pick<Made<Loaded>, 'value' | 'startedAt'>,
    beside: { readonly key: string; readonly value: Loaded } | undefined,
  ): Entry | undefined {
    const { key } = beside ?? request
    const kept = beside && entries.find(key, now())
    const entry = beside && entries.keep({ ...request, key }, { value: beside.value, startedAt })
    // why: what is made of what is kept next would show other rows
    if (beside && kept && isOlder(beside.value, kept.value)) return undefined
    if (entry === undefined) return entries.keep(request, { value, startedAt })
    return entries.keepDerived({ key, entry }, { ...request, value })
  }

  async function make<V extends Loaded>(
    request: CacheRequest<V>,
  ): Promise<Made<V> & { collapsed: boolean }> {
    const { key, flightKey = key, newOnly, signal } = request
    const flight = flights.join({
      key: flightKey,
      newOnly,
      signal,
      load: aborted => load(request, aborted),
    })
    const shared = await flight.result
    if (shared.value.value.byteCount === undefined && !shared.claim()) {
      return { ...(await load(request, signal)), collapsed: false }
    }
    return { ...shared.value, collapsed: flight.collapsed }
  }

  async function derive<V extends Loaded, W extends Loaded>(
    source: { readonly key: string; readonly answer: CacheAnswer<V> },
    derived: Derived<V, W>,
  ): Promise<CacheAnswer<W>> {
    const { answer } = source
    const { key, signal } = derived
    const kept = entries.find(key, now())
    if (kept?.source && kept.source.serial === answer.serial) {
      return { ...answer, value: kept.value as W, serial: kept.serial }
    }
    if (answer.serial === undefined) {
      return { ...answer, value: await derived.make(answer.value, signal) }
    }
    const flight = flights.join({
      key: `${key} of ${answer.serial}`,
      newOnly: false,
      signal,
      load: async aborted => {
        const value = await derived.make(answer.value, aborted)
        const entry = entries.find(source.key, now())
        if (!entry || entry.serial !== answer.serial) return { value, serial: undefined }
        const made = entries.keepDerived({ key: source.key, entry }, { ...derived, value })
        return { value, serial: made?.serial }
      },
    })
    const { value, serial } = (await flight.result).value
    return { ...answer, value, serial }
  }

  /** What the source makes of it, where that may be served. */
  function fromSource<V extends Loaded>(
    { source, key, organizationId, newOnly, signal }: CacheRequest<V>,
    outcome: 'hit' | 'stale',
  ): Promise<CacheAnswer<V>> | undefined {
    const askedAt = now()
    const entry = source && !newOnly ? entries.find(source.key, askedAt) : undefined
    if (!source || !entry) return undefined
    if (askedAt >= (outcome === 'hit' ? entry.freshUntil : entry.staleUntil)) return undefined
    const answer = answerFrom<Loaded>(entry, outcome, askedAt)
    return derive({ key: source.key, answer }, { key, organizationId, make: source.make, signal })
  }

  return {
    byteCount: () => entries.byteCount(),
    entryCount: () => entries.entryCount(),
    derive,
    hit(key, nowMs) {
      const entry = entries.find(key, nowMs)
      return entry && nowMs < entry.freshUntil ? answerFrom(entry, 'hit', nowMs) : undefined
    },
    async get(request) {
      const askedAt = now()
      const entry = entries.find(request.key, askedAt)
      if (entry && !request.newOnly && askedAt < entry.freshUntil) {
        return answerFrom(entry, 'hit', askedAt)
      }
      const derived = fromSource(request, 'hit')
      if (derived) return derived
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
        if (!standsIn || request.newOnly) throw error
        const failedAt = now()
        const stale = entries.find(request.key, failedAt)
        if (stale && failedAt < stale.staleUntil) {
          return answerFrom(stale, failedAt < stale.freshUntil ? 'hit' : 'stale', failedAt)
        }
        const staleDerived = fromSource(request, 'stale')
        if (!staleDerived) throw error
        return staleDerived.catch(() => {
          throw error
        })
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
