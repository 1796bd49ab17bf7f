/**
 * Key hashes to organizations, in batches, nothing remembered. Knows neither Koa nor pg: the query is
 * handed in.
 *
 * A batch takes only keys that were waiting when it was sent, so every answer comes from a look-up
 * that started after its request arrived. While the allowed batches are in flight, keys wait for the
 * next: 64 concurrent requests then share two queries instead of sending 64.
 */
import { Problem } from '../errors.ts'
import type { Observe } from '../observation.ts'
import type { Clock, Milliseconds, Organization } from '../terms.ts'
import type { KeyHash } from './api-key.ts'
import { InvalidAccessRow } from './invalid-access-row.ts'

/** Keys that are valid now. */
export type FoundByKey = ReadonlyMap<KeyHash, Organization | InvalidAccessRow>

/**
 * Answers the organizations of those keys that are valid now. Rejects if it cannot tell.
 * @param isWanted false once all who asked have been told that nobody could tell in time
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
  /** The same without a promise, which a hit would pay for. What they throw is a defect, and observed as one. */
  tell(keyHash: KeyHash, found: TellFound, failed: TellFailed): void
}

export type TellFound = (organization: Organization | undefined) => void
/** @param problem `access_unavailable` */
export type TellFailed = (problem: Problem) => void

type Answer = (keyHash: KeyHash, waited: Waiting) => void

/** All who wait for one key, in pairs. */
interface Waiting {
  readonly found: TellFound[]
  readonly failed: TellFailed[]
}

/** Of those who came in one turn, and while no more could be asked. */
interface Batch {
  readonly keys: Map<KeyHash, Waiting>
  /** Has been answered. */
  isOver: boolean
  timer?: NodeJS.Timeout
}

/** Turns and tries of a look-up together: the status line of every answer is out within 50 s. */
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
  let waiting = emptyBatch()
  let inFlight = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || inFlight >= maxInFlight || waiting.keys.size === 0) return
    scheduled = true
    // why: all requests that arrived in this turn of the event loop join one batch
    setImmediate(() => {
      scheduled = false
      void send()
    })
  }

  async function send(): Promise<void> {
    const batch = waiting
    // why: those who waited may have been told meanwhile that nobody can tell
    if (batch.keys.size === 0) return
    waiting = emptyBatch()
    inFlight += 1
    const startedAt = now()
    let error: unknown
    let answer: Answer
    try {
      const organizations = await find([...batch.keys.keys()], () => !batch.isOver)
      answer = (keyHash, waited) => give(organizations.get(keyHash), waited)
    } catch (cause) {
      error = cause
      answer = refusal(cause)
    }
    inFlight -= 1
    const keyCount = batch.keys.size
    observe({ kind: 'key-lookup', keyCount, durationMs: now() - startedAt, error })
    schedule()
    await tellAll(batch, answer)
  }

  function give(
    organization: Organization | InvalidAccessRow | undefined,
    { found, failed }: Waiting,
  ): void {
    if (organization instanceof InvalidAccessRow) {
      onInvalidRow(organization)
      const problem = invalid(organization)
      for (const tellFailed of failed) guarded(tellFailed, problem)
    } else for (const tellFound of found) guarded(tellFound, organization)
  }

  function refusal(cause: unknown): Answer {
    const problem = unavailable(cause)
    return (_keyHash, { failed }) => {
      for (const tellFailed of failed) guarded(tellFailed, problem)
    }
  }

  function giveUp(batch: Batch): void {
    if (waiting === batch) waiting = emptyBatch()
    void tellAll(batch, refusal(new Error(`no look-up in ${longestMs} ms`)))
  }

  /** One who cannot take the answer takes it from nobody else. */
  function guarded<Value>(take: (value: Value) => void, value: Value): void {
    try {
      take(value)
    } catch (error) {
      observe({ kind: 'process-error', error })
    }
  }

  function tell(keyHash: KeyHash, found: TellFound, failed: TellFailed): void {
    const { keys } = waiting
    const already = keys.get(keyHash)
    if (already) {
      already.found.push(found)
      already.failed.push(failed)
    } else {
      // why: by the first of them, and one timer for all: a hit would pay for its own
      if (keys.size === 0) waiting.timer = setTimeout(giveUp, longestMs, waiting)
      keys.set(keyHash, { found: [found], failed: [failed] })
    }
    schedule()
  }

  const lookup = (keyHash: KeyHash): Promise<Organization | undefined> =>
    new Promise((resolve, reject) => tell(keyHash, resolve, reject))
  return Object.assign(lookup, { tell })
}

function emptyBatch(): Batch {
  return { keys: new Map(), isOver: false }
}

/** Once, whoever comes first. */
async function tellAll(batch: Batch, answer: Answer): Promise<void> {
  if (batch.isOver) return
  batch.isOver = true
  clearTimeout(batch.timer)
  await answerInTurns(batch.keys, answer)
}

/**
 * So many are answered in one turn of the event loop. Requests that come meanwhile are then on their way
 * to the database while the rest is answered; otherwise the two would wait for each other in turn.
 */
const ANSWERS_A_TURN = 12

async function answerInTurns(batch: ReadonlyMap<KeyHash, Waiting>, answer: Answer): Promise<void> {
  let answered = 0
  for (const [keyHash, waited] of batch) {
    if (answered > 0 && answered % ANSWERS_A_TURN === 0) {
      await new Promise(resolve => setImmediate(resolve))
    }
    answer(keyHash, waited)
    answered += 1
  }
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

function accessUnavailable(detail: { ru: string; en: string }, cause: unknown): Problem {
  return new Problem('access_unavailable', detail, {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
