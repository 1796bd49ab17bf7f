/**
 * Looks up the organizations of key hashes in batches. No result is cached. Knows neither Koa nor pg.
 *
 * A look-up always starts after its requests arrived. While the allowed number of batches is in flight,
 * keys wait for the next batch: 64 concurrent requests share two queries instead of sending 64.
 * Recently valid keys go first, so that random keys cannot delay them.
 */
import { LRUCache } from 'lru-cache'
import type { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import type { KeyHash } from './api-key.ts'
import { accessUnavailable } from './access-unavailable.ts'
import { InvalidAccessRow } from './invalid-access-row.ts'

/** Contains only valid keys. */
export type OrganizationsByKey = ReadonlyMap<KeyHash, Organization | InvalidAccessRow>

/**
 * Looks up the organizations of the valid keys. Rejects if no database responds.
 * @param isWanted false once all requests of the batch have ended
 */
export type FindOrganizations = (
  keyHashes: readonly KeyHash[],
  isWanted?: () => boolean,
) => Promise<OrganizationsByKey>

export type OrganizationLookup = ReturnType<typeof createOrganizationLookup>

/**
 * Receives undefined if the key is not valid; Problem `access_unavailable` if no database responds in time, or the
 * key's row is invalid.
 */
export type OnFound = (organization: Organization | Problem | undefined) => void

/** All requests that wait for one key. */
interface Waiting {
  readonly keyHash: KeyHash
  readonly arrivals: Arrivals
  /** True until the look-up has a result. */
  isOpen: boolean
  readonly callbacks: OnFound[]
}

/** Keys that arrived between two batches; they share a deadline. */
interface Arrivals {
  readonly all: Waiting[]
  openCount: number
  timer?: NodeJS.Timeout
}

/** Deadline of a look-up, waiting and retries included: every status line is sent within 50 s. */
const LONGEST_MS: Milliseconds = 40_000
/** Keys in one look-up. */
const MAX_BATCH_KEYS = 500
/** Waiting requests with unknown keys; more are rejected at once. */
const MAX_WAITING_UNKNOWN = 5000
/** About 2 MB of hashes. */
const MAX_RECENTLY_VALID = 20_000
/** Rejections per turn of the event loop, so that new look-ups are sent before all are delivered. */
const REJECTIONS_PER_TURN = 24

export function createOrganizationLookup(options: {
  readonly find: FindOrganizations
  /** Called with an invalid row of a key. */
  readonly onInvalidRow: (row: InvalidAccessRow) => void
  readonly longestMs?: Milliseconds
  readonly maxInFlight: number
  readonly observe: Observe
  readonly now: Clock
}) {
  const { find, onInvalidRow, longestMs = LONGEST_MS, maxInFlight, observe, now } = options
  /** Affects only the order of look-ups. */
  const recentlyValid = new LRUCache<KeyHash, true>({ max: MAX_RECENTLY_VALID })
  let knownKeys = new Map<KeyHash, Waiting>()
  let unknownKeys = new Map<KeyHash, Waiting>()
  /** Requests that wait for `unknownKeys`. */
  let unknownCount = 0
  const rejections: Array<() => void> = []
  let arrivals = createArrivals()
  let inFlight = 0
  let isScheduled = false

  // why: responses for unknown keys take longer than their look-ups and must not delay known keys
  const mayAddUnknown = (): boolean => rejections.length < MAX_BATCH_KEYS

  function join(keyHash: KeyHash): Waiting | undefined {
    const isKnown = recentlyValid.has(keyHash)
    if (!isKnown && unknownCount >= MAX_WAITING_UNKNOWN) return undefined
    if (!isKnown) unknownCount += 1
    const queue = isKnown ? knownKeys : unknownKeys
    const joined = queue.get(keyHash)
    if (joined !== undefined) return joined
    // why: one timer for all keys between two batches; one for each would slow down hits
    if (arrivals.openCount === 0) arrivals.timer = setTimeout(expire, longestMs, arrivals)
    const waiting = { keyHash, arrivals, isOpen: true, callbacks: [] }
    arrivals.all.push(waiting)
    arrivals.openCount += 1
    queue.set(keyHash, waiting)
    return waiting
  }

  function takeBatch(): Waiting[] {
    let known: Waiting[]
    let unknown: Waiting[] = []
    ;[known, knownKeys] = split(knownKeys, MAX_BATCH_KEYS)
    if (mayAddUnknown()) [unknown, unknownKeys] = split(unknownKeys, MAX_BATCH_KEYS - known.length)
    for (const { callbacks } of unknown) unknownCount -= callbacks.length
    return [...known, ...unknown]
  }

  function schedule(): void {
    if (isScheduled || inFlight >= maxInFlight) return
    if (knownKeys.size + (mayAddUnknown() ? unknownKeys.size : 0) === 0) return
    isScheduled = true
    // why: all requests that arrived in this turn of the event loop join one batch
    setImmediate(() => void send())
  }

  async function send(): Promise<void> {
    isScheduled = false
    const batch = takeBatch()
    // why: the deadline of the waiting requests may have passed meanwhile
    if (batch.length === 0) return
    arrivals = createArrivals()
    inFlight += 1
    schedule()
    const startedAt = now()
    let organizations: OrganizationsByKey | undefined
    let error: unknown
    try {
      const hashes = batch.map(({ keyHash }) => keyHash)
      organizations = await find(hashes, () => batch.some(isOpen))
    } catch (cause) {
      error = cause
    }
    inFlight -= 1
    const durationMs = now() - startedAt
    observe({ kind: 'key-lookup', keyCount: batch.length, durationMs, error })
    schedule()
    const problem = organizations ? undefined : accessUnavailable('database', error)
    for (const waiting of batch) {
      if (problem !== undefined) reject(waiting, problem)
      else deliver(waiting, organizations?.get(waiting.keyHash))
    }
  }

  function deliver(waiting: Waiting, found: Organization | InvalidAccessRow | undefined): void {
    const { keyHash } = waiting
    if (found === undefined || found instanceof InvalidAccessRow) {
      // why: an invalid row without a hash is the outcome of every unmatched key, and random keys must not go first
      recentlyValid.delete(keyHash)
      if (found !== undefined) guarded(onInvalidRow, found)
      reject(waiting, found && accessUnavailable('row', found))
    } else {
      recentlyValid.set(keyHash, true)
      settle(waiting, found)
    }
  }

  /** Delivers a rejection later if others wait, some in each turn of the event loop. */
  function reject(waiting: Waiting, problem: Problem | undefined): void {
    rejections.push(() => settle(waiting, problem))
    // why: organizations of the same batch are delivered first
    if (rejections.length === 1) queueMicrotask(deliverRejections)
  }

  function deliverRejections(): void {
    for (const deliverOne of rejections.slice(0, REJECTIONS_PER_TURN)) deliverOne()
    rejections.splice(0, REJECTIONS_PER_TURN)
    if (rejections.length > 0) setImmediate(deliverRejections)
    schedule()
  }

  function settle(waiting: Waiting, outcome: Organization | Problem | undefined): void {
    if (!waiting.isOpen) return
    const { callbacks } = waiting
    const ofBatch = waiting.arrivals
    waiting.isOpen = false
    ofBatch.openCount -= 1
    if (ofBatch.openCount === 0) clearTimeout(ofBatch.timer)
    for (const onFound of callbacks) guarded(onFound, outcome)
  }

  function expire(late: Arrivals): void {
    if (late === arrivals) arrivals = createArrivals()
    const timedOut = accessUnavailable('database', new Error(`no result within ${longestMs} ms`))
    for (const waiting of late.all.filter(isOpen)) {
      const { keyHash, callbacks } = waiting
      if (knownKeys.get(keyHash) === waiting) knownKeys.delete(keyHash)
      if (unknownKeys.get(keyHash) === waiting) {
        unknownKeys.delete(keyHash)
        unknownCount -= callbacks.length
      }
      reject(waiting, timedOut)
    }
  }

  /** An error in one callback must not affect the others. */
  function guarded<Value>(take: (value: Value) => void, value: Value): void {
    try {
      take(value)
    } catch (error) {
      observe({ kind: 'process-error', error })
    }
  }

  return {
    /** Looks up a key. Uses a callback, since a promise would slow down hits. Errors that it throws are observed. */
    find(keyHash: KeyHash, onFound: OnFound): void {
      const waiting = join(keyHash)
      if (waiting === undefined) return guarded(onFound, TOO_MANY_UNKNOWN)
      waiting.callbacks.push(onFound)
      schedule()
    },
  }
}

const createArrivals = (): Arrivals => ({ all: [], openCount: 0 })

const isOpen = (waiting: Waiting): boolean => waiting.isOpen

/**
 * The first keys, and the others.
 * why: a new map, since V8 links the old tables of a map that shrinks by `delete`. Garbage collection then
 * promotes all entries that were ever in them (measured: hits took 1.8 times their CPU time).
 */
function split(queue: Map<KeyHash, Waiting>, count: number): [Waiting[], Map<KeyHash, Waiting>] {
  if (count >= queue.size) return [[...queue.values()], new Map()]
  return [[...queue.values()].slice(0, count), new Map([...queue].slice(count))]
}

// why: created once, since thousands of requests may receive it
const TOO_MANY_UNKNOWN = accessUnavailable(
  'crowd',
  new Error(`${MAX_WAITING_UNKNOWN} requests with unknown keys are waiting`),
)
