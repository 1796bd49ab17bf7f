/**
 * Looks up the organizations of key hashes in batches. No result is cached. Knows neither Koa nor pg.
 *
 * A look-up always starts after its requests arrived. While the allowed number of batches is in flight,
 * keys wait for the next batch: 64 concurrent requests share two queries instead of sending 64.
 * Recently valid keys go first, so that random keys cannot delay them.
 */
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import { accessUnavailable } from './access-unavailable.ts'
import type { KeyHash } from './api-key.ts'
import { InvalidAccessRow } from './invalid-access-row.ts'
import { createKeyQueue, MAX_BATCH_KEYS, MAX_WAITING_UNKNOWN } from './key-queue.ts'

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

export interface OrganizationLookup {
  /**
   * Looks up a key. Uses callbacks, since a promise would slow down hits. Errors that they throw are observed.
   * @param onFound receives undefined if the key is not valid
   * @param onFailed receives Problem `access_unavailable` if no database responds in time, or the key's row is invalid
   */
  find(keyHash: KeyHash, onFound: OnFound, onFailed: OnFailed): void
}

type OnFound = (organization: Organization | undefined) => void
type OnFailed = (problem: Problem) => void

/** A Problem means that the database failed. */
type Outcome = Organization | InvalidAccessRow | Problem | undefined

/** All requests that wait for one key, with two callbacks each. */
interface Waiting {
  readonly keyHash: KeyHash
  readonly arrivals: Arrivals
  /** True until the look-up has a result. */
  isOpen: boolean
  readonly foundCallbacks: OnFound[]
  readonly failedCallbacks: OnFailed[]
}

/** Keys that arrived between two batches; they share a deadline. */
interface Arrivals {
  readonly all: Waiting[]
  openCount: number
  timer?: NodeJS.Timeout
}

/** Deadline of a look-up, waiting and retries included: every status line is sent within 50 s. */
const LONGEST_MS: Milliseconds = 40_000

export function createOrganizationLookup(options: {
  readonly find: FindOrganizations
  /** Called with an invalid row of a key. */
  readonly onInvalidRow: (row: InvalidAccessRow) => void
  readonly longestMs?: Milliseconds
  readonly maxInFlight: number
  readonly observe: Observe
  readonly now: Clock
}): OrganizationLookup {
  const { find, onInvalidRow, longestMs = LONGEST_MS, maxInFlight, observe, now } = options
  const queue = createKeyQueue<Waiting>()
  const results = createResultQueue(schedule)
  let arrivals = createArrivals()
  let inFlight = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || inFlight >= maxInFlight || queue.size(mayAddUnknown()) === 0) return
    scheduled = true
    // why: all requests that arrived in this turn of the event loop join one batch
    setImmediate(() => {
      scheduled = false
      void send()
    })
  }

  // why: responses for unknown keys take longer than their look-ups and must not delay known keys
  const mayAddUnknown = (): boolean => results.size() < MAX_BATCH_KEYS

  async function send(): Promise<void> {
    const batch = queue.takeBatch(mayAddUnknown())
    // why: the deadline of the waiting requests may have passed meanwhile
    if (batch.length === 0) return
    arrivals = createArrivals()
    inFlight += 1
    schedule()
    const startedAt = now()
    let error: unknown
    let outcomeOf: (keyHash: KeyHash) => Outcome
    try {
      const hashes = batch.map(({ keyHash }) => keyHash)
      const organizations = await find(hashes, () => batch.some(isOpen))
      outcomeOf = keyHash => organizations.get(keyHash)
    } catch (cause) {
      error = cause
      const problem = accessUnavailable('database', cause)
      outcomeOf = () => problem
    }
    inFlight -= 1
    const keyCount = batch.length
    observe({ kind: 'key-lookup', keyCount, durationMs: now() - startedAt, error })
    schedule()
    for (const waiting of batch) deliverLater(waiting, outcomeOf(waiting.keyHash))
  }

  function deliverLater(waiting: Waiting, outcome: Outcome): void {
    const isUrgent = outcome !== undefined && !(outcome instanceof Problem)
    results.add(isUrgent, () => {
      if (waiting.isOpen) deliver(waiting, outcome)
    })
  }

  function deliver(waiting: Waiting, outcome: Outcome): void {
    end(waiting)
    if (outcome instanceof Problem) return fail(waiting, outcome)
    const isInvalid = outcome instanceof InvalidAccessRow
    // why: an invalid row without a hash is the outcome of every unmatched key, and random keys must not go first
    queue.lookedUp(waiting.keyHash, outcome !== undefined && !isInvalid)
    if (isInvalid) {
      guarded(onInvalidRow, outcome)
      fail(waiting, accessUnavailable('row', outcome))
    } else for (const onFound of waiting.foundCallbacks) guarded(onFound, outcome)
  }

  function fail({ failedCallbacks }: Waiting, problem: Problem): void {
    for (const onFailed of failedCallbacks) guarded(onFailed, problem)
  }

  function expire(late: Arrivals): void {
    if (late === arrivals) arrivals = createArrivals()
    const open = late.all.filter(isOpen)
    const timedOut = accessUnavailable('database', new Error(`no result within ${longestMs} ms`))
    for (const waiting of open) queue.remove(waiting)
    for (const waiting of open) deliverLater(waiting, timedOut)
  }

  /** An error in one callback must not affect the others. */
  function guarded<Value>(take: (value: Value) => void, value: Value): void {
    try {
      take(value)
    } catch (error) {
      observe({ kind: 'process-error', error })
    }
  }

  function arrive(keyHash: KeyHash): Waiting {
    // why: one timer for all keys between two batches; one for each would slow down hits
    if (arrivals.openCount === 0) arrivals.timer = setTimeout(expire, longestMs, arrivals)
    const waiting = { keyHash, arrivals, isOpen: true, foundCallbacks: [], failedCallbacks: [] }
    arrivals.all.push(waiting)
    arrivals.openCount += 1
    return waiting
  }

  return {
    find(keyHash, onFound, onFailed) {
      const waiting = queue.join(keyHash, arrive)
      if (waiting === undefined) return guarded(onFailed, TOO_MANY_UNKNOWN)
      waiting.foundCallbacks.push(onFound)
      waiting.failedCallbacks.push(onFailed)
      schedule()
    },
  }
}

const createArrivals = (): Arrivals => ({ all: [], openCount: 0 })

const isOpen = (waiting: Waiting): boolean => waiting.isOpen

function end(waiting: Waiting): void {
  const { arrivals } = waiting
  waiting.isOpen = false
  arrivals.openCount -= 1
  if (arrivals.openCount === 0) clearTimeout(arrivals.timer)
}

/**
 * Results delivered per turn of the event loop, so that new look-ups are sent before all results are
 * delivered.
 */
const RESULTS_PER_TURN = 24

/**
 * Delivers results of look-ups, a few in each turn of the event loop, urgent ones first.
 * @param onTurn called after each turn
 */
function createResultQueue(onTurn: () => void) {
  const urgent: Array<() => void> = []
  const others: Array<() => void> = []
  let isDelivering = false
  const size = (): number => urgent.length + others.length

  function deliverSome(): void {
    for (let count = 0; count < RESULTS_PER_TURN; count += 1) {
      const deliver = urgent.shift() ?? others.shift()
      deliver?.()
    }
    isDelivering = size() > 0
    if (isDelivering) setImmediate(deliverSome)
    onTurn()
  }

  return {
    /** Results that are not delivered yet. */
    size,
    add(isUrgent: boolean, deliver: () => void): void {
      const queue = isUrgent ? urgent : others
      queue.push(deliver)
      if (isDelivering) return
      isDelivering = true
      // why: results added in this turn are delivered in order of urgency
      queueMicrotask(deliverSome)
    },
  }
}

// why: created once, since thousands of requests may receive it
const TOO_MANY_UNKNOWN = accessUnavailable(
  'crowd',
  new Error(`${MAX_WAITING_UNKNOWN} requests with unknown keys are waiting`),
)
