/** What a cache is asked for and what it says: the words that its files share. */
import type { Bytes, CacheOutcome, Instant, Milliseconds, Seconds } from '../../model/terms.ts'

/** What a load may bring: something with a size is kept, something without is served once. */
export interface Loaded {
  readonly byteCount?: Bytes
  /** The data is at least as new as this; undefined is unknown. */
  readonly dataAsOf?: Instant | undefined
  discard?(): void
}

/** Keeps what else a run has made, under a key of its own. */
export type KeepBeside = (key: string, value: Loaded) => void

export interface CacheRequest<V extends Loaded> {
  /** Equal keys have equal answers, organization included. */
  readonly key: string
  /** Requests share a run where this is equal; the key by default. */
  readonly flightKey?: string
  readonly organizationId: string
  readonly freshSeconds: Seconds
  readonly staleSeconds: Seconds
  /** The client asked for a run that starts after its request. */
  readonly newOnly: boolean
  readonly load: (signal: AbortSignal, keepBeside: KeepBeside) => Promise<V>
  /** Where this is kept, the answer is made of it, without a run. */
  readonly source?: Source<V> | undefined
  /** The client is gone. */
  readonly signal: AbortSignal
}

export interface Source<V extends Loaded> {
  readonly key: string
  /** @param value what is kept under that key */
  readonly make: Make<Loaded, V>
}

export type Make<From extends Loaded, To extends Loaded> = (
  value: From,
  signal: AbortSignal,
) => Promise<To>

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

/** Something that is kept. */
export interface Entry {
  readonly value: Loaded
  readonly serial: number
  readonly startedAt: Milliseconds
  freshUntil: Milliseconds
  readonly staleUntil: Milliseconds
  /** What it was made of: it goes when another is kept there. */
  readonly source: { readonly key: string; readonly serial: number } | undefined
}
