/**
 * Key hashes to organizations, in batches, no result remembered. Knows neither Koa nor pg: the query is
 * handed in.
 *
 * A batch takes only keys that were waiting when it was sent, so every result comes from a look-up
 * that started after its request arrived. While the allowed batches are in flight, keys wait for the
 * next: 64 concurrent requests then share two queries instead of sending 64. Keys that were valid
 * lately go first, so that random keys cannot delay them.
 */
import type { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import { accessUnavailable } from './access-unavailable.ts'
import type { KeyHash } from './api-key.ts'
import { InvalidAccessRow, isValidRow } from './invalid-access-row.ts'
import { createKeyQueue, MAX_BATCH_KEYS, MAX_WAITING_STRANGERS } from './key-queue.ts'
import { createResultQueue } from './result-queue.ts'

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
   * The organization of a key; undefined if the key is not valid.
   * @throws Problem `access_unavailable` if no database can tell in time, or the key's row is not valid.
   */
  (keyHash: KeyHash): Promise<Organization | undefined>
  /** The same without a promise, which a hit would pay for. An error that a callback throws is observed. */
  tell(keyHash: KeyHash, found: TellFound, failed: TellFailed): void
}

type TellFound = (organization: Organization | undefined) => void
/** @param problem `access_unavailable` */
type TellFailed = (problem: Problem) => void

type Give = (waiting: Waiting) => void

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
    let give: Give
    let organizations: Awaited<ReturnType<FindOrganizations>> | undefined
    try {
      const hashes = batch.map(({ keyHash }) => keyHash)
      const found = await find(hashes, () => batch.some(isOpen))
      organizations = found
      give = waiting => tellFound(waiting, found.get(waiting.keyHash))
    } catch (cause) {
      error = cause
      give = refusal(accessUnavailable('database', cause))
    }
    inFlight -= 1
    const keyCount = batch.length
    observe({ kind: 'key-lookup', keyCount, durationMs: now() - startedAt, error })
    schedule()
    for (const waiting of batch)
      giveLater(waiting, organizations?.has(waiting.keyHash) === true, give)
  }

  function giveLater(waiting: Waiting, isUrgent: boolean, give: Give): void {
    results.add(isUrgent, () => {
      if (isOpen(waiting)) end(waiting, give)
    })
  }

  function tellFound(
    { keyHash, found, failed }: Waiting,
    organization: Organization | InvalidAccessRow | undefined,
  ): void {
    // why: a row without a hash is given for keys that have none; random ones must not go first for it
    queue.lookedUp(keyHash, organization !== undefined && isValidRow(organization))
    if (organization instanceof InvalidAccessRow) {
      guarded(onInvalidRow, organization)
      const problem = accessUnavailable('row', organization)
      for (const tellFailed of failed) guarded(tellFailed, problem)
    } else for (const tellFound of found) guarded(tellFound, organization)
  }

  function refusal(problem: Problem): Give {
    return ({ failed }) => {
      for (const tellFailed of failed) guarded(tellFailed, problem)
    }
  }

  function expire(late: Arrivals): void {
    if (late === arrivals) arrivals = noArrivals()
    const open = late.all.filter(isOpen)
    const timedOut = accessUnavailable('database', new Error(`no look-up in ${longestMs} ms`))
    const give = refusal(timedOut)
    for (const waiting of open) queue.remove(waiting)
    for (const waiting of open) giveLater(waiting, false, give)
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

  function tell(keyHash: KeyHash, found: TellFound, failed: TellFailed): void {
    const waiting = queue.join(keyHash, arrive)
    if (waiting === undefined) return guarded(failed, TOO_MANY_STRANGERS)
    waiting.found.push(found)
    waiting.failed.push(failed)
    schedule()
  }

  const lookup = (keyHash: KeyHash): Promise<Organization | undefined> =>
    new Promise((resolve, reject) => tell(keyHash, resolve, reject))
  return Object.assign(lookup, { tell })
}

const noArrivals = (): Arrivals => ({ all: [], openCount: 0 })

const isOpen = (waiting: Waiting): boolean => waiting.isOpen

function end(waiting: Waiting, give: Give): void {
  const { arrivals } = waiting
  waiting.isOpen = false
  arrivals.openCount -= 1
  if (arrivals.openCount === 0) clearTimeout(arrivals.timer)
  give(waiting)
}

// why: made once, for they come in thousands
const TOO_MANY_STRANGERS = accessUnavailable(
  'crowd',
  new Error(`${MAX_WAITING_STRANGERS} requests with keys that were not valid lately wait`),
)
