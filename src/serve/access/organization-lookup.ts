/**
 * Key hashes to organizations, in batches, no result remembered. Knows neither Koa nor pg: the query is
 * handed in.
 *
 * A batch takes only keys that were waiting when it was sent, so every result comes from a look-up
 * that started after its request arrived. While the allowed batches are in flight, keys wait for the
 * next: 64 concurrent requests then share two queries instead of sending 64. Keys that were valid
 * lately go first, so that random keys cannot delay them.
 */
import { LRUCache } from 'lru-cache'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import { createAnswerQueue } from './answer-queue.ts'
import type { KeyHash } from './api-key.ts'
import { InvalidAccessRow, isValidRow } from './invalid-access-row.ts'

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

export type TellFound = (organization: Organization | undefined) => void
/** @param problem `access_unavailable` */
export type TellFailed = (problem: Problem) => void

type Answer = (waiting: Waiting) => void

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
const MAX_BATCH_KEYS = 500
/** Requests whose keys were not valid lately; more are rejected at once. */
const MAX_WAITING_STRANGERS = 5000
/** Some 2 MB of hashes. */
const MAX_VALID_LATELY = 20_000

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
  /** The next keys to be asked, before any stranger. */
  let regulars = new Map<KeyHash, Waiting>()
  let strangers = new Map<KeyHash, Waiting>()
  let strangerCount = 0
  /** Decides the order alone. */
  const validLately = new LRUCache<KeyHash, true>({ max: MAX_VALID_LATELY })
  const answers = createAnswerQueue(schedule)
  let arrivals = noArrivals()
  let inFlight = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || inFlight >= maxInFlight || askable() === 0) return
    scheduled = true
    // why: all requests that arrived in this turn of the event loop join one batch
    setImmediate(() => {
      scheduled = false
      void send()
    })
  }

  /** Keys that may be in the next batch. */
  const askable = (): number => regulars.size + (mayAskStrangers() ? strangers.size : 0)
  // why: responses to strangers take longer than their look-ups, and a regular key must not wait for them
  const mayAskStrangers = (): boolean => answers.size() < MAX_BATCH_KEYS

  function takeBatch(): Waiting[] {
    const batch = [...regulars.values()].slice(0, MAX_BATCH_KEYS)
    regulars = without(regulars, batch.length)
    if (!mayAskStrangers()) return batch
    const others = [...strangers.values()].slice(0, MAX_BATCH_KEYS - batch.length)
    strangers = without(strangers, others.length)
    for (const { found } of others) strangerCount -= found.length
    return [...batch, ...others]
  }

  function remove(waiting: Waiting): void {
    const { keyHash, found } = waiting
    if (regulars.get(keyHash) === waiting) regulars.delete(keyHash)
    if (strangers.get(keyHash) !== waiting) return
    strangers.delete(keyHash)
    strangerCount -= found.length
  }

  async function send(): Promise<void> {
    const batch = takeBatch()
    // why: the deadline of those who waited may have passed meanwhile
    if (batch.length === 0) return
    arrivals = noArrivals()
    inFlight += 1
    schedule()
    const startedAt = now()
    let error: unknown
    let answer: Answer
    let organizations: Awaited<ReturnType<FindOrganizations>> | undefined
    try {
      const hashes = batch.map(({ keyHash }) => keyHash)
      const found = await find(hashes, () => batch.some(isOpen))
      organizations = found
      answer = waiting => give(waiting, found.get(waiting.keyHash))
    } catch (cause) {
      error = cause
      answer = refusal(unavailable(cause))
    }
    inFlight -= 1
    const keyCount = batch.length
    observe({ kind: 'key-lookup', keyCount, durationMs: now() - startedAt, error })
    schedule()
    for (const waiting of batch)
      answerLater(waiting, organizations?.has(waiting.keyHash) === true, answer)
  }

  function answerLater(waiting: Waiting, isUrgent: boolean, answer: Answer): void {
    answers.add(isUrgent, () => {
      if (isOpen(waiting)) end(waiting, answer)
    })
  }

  function give(
    { keyHash, found, failed }: Waiting,
    organization: Organization | InvalidAccessRow | undefined,
  ): void {
    // why: a row without a hash is given for keys that have none; random ones must not go first for it
    if (organization === undefined || !isValidRow(organization)) validLately.delete(keyHash)
    else validLately.set(keyHash, true)
    if (organization instanceof InvalidAccessRow) {
      guarded(onInvalidRow, organization)
      const problem = invalid(organization)
      for (const tellFailed of failed) guarded(tellFailed, problem)
    } else for (const tellFound of found) guarded(tellFound, organization)
  }

  function refusal(problem: Problem): Answer {
    return ({ failed }) => {
      for (const tellFailed of failed) guarded(tellFailed, problem)
    }
  }

  function giveUp(late: Arrivals): void {
    if (late === arrivals) arrivals = noArrivals()
    const open = late.all.filter(isOpen)
    const answer = refusal(unavailable(new Error(`no look-up in ${longestMs} ms`)))
    for (const waiting of open) remove(waiting)
    for (const waiting of open) answerLater(waiting, false, answer)
  }

  /** An error in one callback concerns no other. */
  function guarded<Value>(take: (value: Value) => void, value: Value): void {
    try {
      take(value)
    } catch (error) {
      observe({ kind: 'process-error', error })
    }
  }

  /** What a request for a key joins; undefined if too many strangers wait. */
  function waitingFor(keyHash: KeyHash): Waiting | undefined {
    const first = regulars.get(keyHash)
    if (first) return first
    const stranger = strangers.get(keyHash)
    if (validLately.has(keyHash)) {
      if (stranger) remove(stranger)
      const regular = stranger ?? arrive(keyHash)
      regulars.set(keyHash, regular)
      return regular
    }
    if (strangerCount >= MAX_WAITING_STRANGERS) return undefined
    strangerCount += 1
    if (stranger) return stranger
    const waiting = arrive(keyHash)
    strangers.set(keyHash, waiting)
    return waiting
  }

  function arrive(keyHash: KeyHash): Waiting {
    // why: one timer for all that arrive between two batches: a hit would pay for its own
    if (arrivals.openCount === 0) arrivals.timer = setTimeout(giveUp, longestMs, arrivals)
    const waiting = { keyHash, arrivals, isOpen: true, found: [], failed: [] }
    arrivals.all.push(waiting)
    arrivals.openCount += 1
    return waiting
  }

  function tell(keyHash: KeyHash, found: TellFound, failed: TellFailed): void {
    const waiting = waitingFor(keyHash)
    if (waiting === undefined) return guarded(failed, TOO_MANY_STRANGERS)
    waiting.found.push(found)
    waiting.failed.push(failed)
    schedule()
  }

  const lookup = (keyHash: KeyHash): Promise<Organization | undefined> =>
    new Promise((resolve, reject) => tell(keyHash, resolve, reject))
  return Object.assign(lookup, { tell })
}

/**
 * Without its first entries.
 *
 * A new map: one that is emptied by `delete` shrinks, and V8 keeps a link from each old table to the next. Garbage
 * collection then promotes all that was ever in them (measured: hits took 1.8 times their CPU time).
 */
function without(queue: Map<KeyHash, Waiting>, count: number): Map<KeyHash, Waiting> {
  return count === queue.size ? new Map() : new Map([...queue].slice(count))
}

const noArrivals = (): Arrivals => ({ all: [], openCount: 0 })

const isOpen = (waiting: Waiting): boolean => waiting.isOpen

function end(waiting: Waiting, answer: Answer): void {
  const { arrivals } = waiting
  waiting.isOpen = false
  arrivals.openCount -= 1
  if (arrivals.openCount === 0) clearTimeout(arrivals.timer)
  answer(waiting)
}

const RETRY_AFTER_SECONDS = 5

function unavailable(cause: unknown): Problem {
  return accessUnavailable(
    {
      ru: 'База ключей сейчас не отвечает. Повторите запрос позже.',
      en: 'The database of keys does not answer now. Try again later.',
    },
    cause,
  )
}

function invalid(row: InvalidAccessRow): Problem {
  return accessUnavailable(
    {
      ru: 'Запись вашей организации содержит ошибку на нашей стороне. Повторите запрос позже.',
      en: 'The record of your organization has an error on our side. Try again later.',
    },
    row,
  )
}

// why: made once, for they come in thousands
const TOO_MANY_STRANGERS = accessUnavailable(
  {
    ru: 'Слишком много ключей ожидает проверки. Повторите запрос позже.',
    en: 'Too many keys wait to be checked. Try again later.',
  },
  new Error(`${MAX_WAITING_STRANGERS} requests with keys that were not valid lately wait`),
)

function accessUnavailable(detail: { ru: string; en: string }, cause: unknown): Problem {
  return new Problem('access_unavailable', detail, {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
