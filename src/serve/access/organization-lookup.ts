/**
 * Key hashes to organizations, in batches, no result remembered. Knows neither Koa nor pg: the query is
 * handed in.
 *
 * A batch takes only keys that were waiting when it was sent, so every result comes from a look-up
 * that started after its request arrived. While the allowed batches are in flight, keys wait for the
 * next: 64 concurrent requests then share two queries instead of sending 64. Keys that were valid
 * lately go first, so that random keys cannot delay them.
 */
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import { accessUnavailable } from './access-unavailable.ts'
import type { KeyHash } from './api-key.ts'
import { InvalidAccessRow } from './invalid-access-row.ts'
import { createKeyQueue, MAX_BATCH_KEYS, MAX_WAITING_STRANGERS } from './key-queue.ts'

/** Keys that are valid now. */
export type FoundByKey = ReadonlyMap<KeyHash, Organization | InvalidAccessRow>

/**
 * Looks up the organizations of those keys that are valid now. Rejects if it cannot tell.
 * @param isWanted false once all requests of the batch have ended without a result
 */
export type FindOrganizations = (
  keyHashes: readonly KeyHash[],
  isWanted?: () => boolean,
) => Promise<FoundByKey>

export interface OrganizationLookup {
  /**
   * Looks a key up without a promise, which a hit would pay for. An error that a callback throws is observed.
   * @param found undefined if the key is not valid
   * @param failed Problem `access_unavailable` if no database can tell in time, or the key's row is not valid
   */
  tell(keyHash: KeyHash, found: TellFound, failed: TellFailed): void
}

type TellFound = (organization: Organization | undefined) => void
type TellFailed = (problem: Problem) => void

/** A problem is that of the database. */
type Outcome = Organization | InvalidAccessRow | Problem | undefined

/** All requests that wait for one key, in pairs. */
interface Waiting {
  readonly keyHash: KeyHash
  readonly arrivals: Arrivals
  /** Without a result so far. */
  isOpen: boolean
  readonly found: TellFound[]
  readonly failed: TellFailed[]
}

/** Keys that arrived between two batches: they have one deadline. */
interface Arrivals {
  readonly all: Waiting[]
  openCount: number
  timer?: NodeJS.Timeout
}

/** Turns and tries of a look-up together: the status line of every response is sent within 50 s. */
const LONGEST_MS: Milliseconds = 40_000

export function createOrganizationLookup(options: {
  readonly find: FindOrganizations
  /** Of a key that was looked up. */
  readonly onInvalidRow: (row: InvalidAccessRow) => void
  readonly longestMs?: Milliseconds
  readonly maxInFlight: number
  readonly observe: Observe
  readonly now: Clock
}): OrganizationLookup {
  const { find, onInvalidRow, longestMs = LONGEST_MS, maxInFlight, observe, now } = options
  const queue = createKeyQueue<Waiting>()
  const results = createResultQueue(schedule)
  let arrivals = noArrivals()
  let inFlight = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || inFlight >= maxInFlight || queue.size(mayAskStrangers()) === 0) return
    scheduled = true
    // why: all requests that arrived in this turn of the event loop join one batch
    setImmediate(() => {
      scheduled = false
      void send()
    })
  }

  // why: responses to strangers take longer than their look-ups, and a regular key must not wait for them
  const mayAskStrangers = (): boolean => results.size() < MAX_BATCH_KEYS

  async function send(): Promise<void> {
    const batch = queue.takeBatch(mayAskStrangers())
    // why: the deadline of those who waited may have passed meanwhile
    if (batch.length === 0) return
    arrivals = noArrivals()
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
    for (const waiting of batch) giveLater(waiting, outcomeOf(waiting.keyHash))
  }

  function giveLater(waiting: Waiting, outcome: Outcome): void {
    const isUrgent = outcome !== undefined && !(outcome instanceof Problem)
    results.add(isUrgent, () => {
      if (waiting.isOpen) give(waiting, outcome)
    })
  }

  function give(waiting: Waiting, outcome: Outcome): void {
    end(waiting)
    if (outcome instanceof Problem) return fail(waiting, outcome)
    const isInvalid = outcome instanceof InvalidAccessRow
    // why: a row without a hash is given for keys that have none; random ones must not go first for it
    queue.lookedUp(waiting.keyHash, outcome !== undefined && !isInvalid)
    if (isInvalid) {
      guarded(onInvalidRow, outcome)
      fail(waiting, accessUnavailable('row', outcome))
    } else for (const tellFound of waiting.found) guarded(tellFound, outcome)
  }

  function fail({ failed }: Waiting, problem: Problem): void {
    for (const tellFailed of failed) guarded(tellFailed, problem)
  }

  function expire(late: Arrivals): void {
    if (late === arrivals) arrivals = noArrivals()
    const open = late.all.filter(isOpen)
    const timedOut = accessUnavailable('database', new Error(`no look-up in ${longestMs} ms`))
    for (const waiting of open) queue.remove(waiting)
    for (const waiting of open) giveLater(waiting, timedOut)
  }

  /** An error in one callback concerns no other. */
  function guarded<Value>(take: (value: Value) => void, value: Value): void {
    try {
      take(value)
    } catch (error) {
      observe({ kind: 'process-error', error })
    }
  }

  function arrive(keyHash: KeyHash): Waiting {
    // why: one timer for all that arrive between two batches: a hit would pay for its own
    if (arrivals.openCount === 0) arrivals.timer = setTimeout(expire, longestMs, arrivals)
    const waiting = { keyHash, arrivals, isOpen: true, found: [], failed: [] }
    arrivals.all.push(waiting)
    arrivals.openCount += 1
    return waiting
  }

  return {
    tell(keyHash, found, failed) {
      const waiting = queue.join(keyHash, arrive)
      if (waiting === undefined) return guarded(failed, TOO_MANY_STRANGERS)
      waiting.found.push(found)
      waiting.failed.push(failed)
      schedule()
    },
  }
}

const noArrivals = (): Arrivals => ({ all: [], openCount: 0 })

const isOpen = (waiting: Waiting): boolean => waiting.isOpen

function end(waiting: Waiting): void {
  const { arrivals } = waiting
  waiting.isOpen = false
  arrivals.openCount -= 1
  if (arrivals.openCount === 0) clearTimeout(arrivals.timer)
}

/**
 * Requests that arrive meanwhile are then on their way to the database while the rest is given; otherwise
 * the two would wait for each other in turn.
 */
const RESULTS_A_TURN = 24

/**
 * Gives results of look-ups, a few in each turn of the event loop, the urgent ones first.
 * @param onTurn called after each turn
 */
export function createResultQueue(onTurn: () => void) {
  const urgent: Array<() => void> = []
  const others: Array<() => void> = []
  let isGiving = false
  const size = (): number => urgent.length + others.length

  function giveSome(): void {
    for (let count = 0; count < RESULTS_A_TURN; count += 1) {
      const give = urgent.shift() ?? others.shift()
      give?.()
    }
    isGiving = size() > 0
    if (isGiving) setImmediate(giveSome)
    onTurn()
  }

  return {
    /** Results that are still to be given. */
    size,
    add(isUrgent: boolean, give: () => void): void {
      const queue = isUrgent ? urgent : others
      queue.push(give)
      if (isGiving) return
      isGiving = true
      // why: what is added in this turn is given in order of urgency
      queueMicrotask(giveSome)
    },
  }
}

// why: made once, for they come in thousands
const TOO_MANY_STRANGERS = accessUnavailable(
  'crowd',
  new Error(`${MAX_WAITING_STRANGERS} requests with keys that were not valid lately wait`),
)
