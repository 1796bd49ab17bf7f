/**
 * Reads the key that a request presents, and looks up the organizations of key hashes in batches. No result is cached. Knows
 * neither Koa nor pg.
 *
 * A look-up always starts after its requests arrived. While the allowed number of batches is in flight, requests wait
 * for the next one. Recently valid keys go first, and few others join a batch, so that random keys delay valid ones
 * neither by their look-ups nor by their responses.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import {
  InvalidAccessRow,
  type KeyHash,
  type Reader,
  type OrganizationsByKey,
} from './access-rows.ts'

/** @param isWanted false: there is no time for a retry @throws if no database responds */
export type FindOrganizations = (
  keyHashes: readonly KeyHash[],
  isWanted: () => boolean,
) => Promise<OrganizationsByKey>

export type OrganizationLookup = ReturnType<typeof createOrganizationLookup>

/**
 * Receives undefined if the key is not valid; Problem `access_unavailable` if no database responds in time, or the
 * key's row is invalid.
 */
type OnFound = (reader: Reader | Problem | undefined) => void

/** A request that waits. */
interface Waiting {
  readonly keyHash: KeyHash
  readonly onFound: OnFound
  readonly deadline: Milliseconds
}

/** Waiting and retries included; then the last attempt ends. Every status line is sent within 50 s. */
const LONGEST_MS: Milliseconds = 40_000
/**
 * Requests in one look-up: an equal share of those that wait, so that the database works while others are answered.
 * why: all of 64 in one look-up waited for each other: 0.7 of the hits a second (2026-11-26, Node 20.20)
 */
const MIN_BATCH = 24
const MAX_BATCH = 500
/** Requests in it whose keys were not valid recently. Each costs a response as well. */
const MAX_UNKNOWN_IN_BATCH = 16
/** Waiting requests with such keys; more are rejected at once. */
const MAX_WAITING_UNKNOWN = 5000
/** About 2 MB of hashes. */
const MAX_RECENTLY_VALID = 20_000

/** @param maxInFlight batches */
export function createOrganizationLookup(
  find: FindOrganizations,
  maxInFlight: number,
  observe: Observe,
  now: Clock,
) {
  /** Affects only the order of look-ups. */
  const recentlyValid = new LRUCache<KeyHash, true>({ max: MAX_RECENTLY_VALID })
  const known: Waiting[] = []
  const unknown: Waiting[] = []
  let inFlight = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || inFlight >= maxInFlight || known.length + unknown.length === 0) return
    isScheduled = true
    // why: all requests that arrived in this turn of the event loop join one batch
    setImmediate(() => void send())
  }

  async function send(): Promise<void> {
    isScheduled = false
    const startedAt = now()
    for (const queue of [known, unknown])
      while (queue[0] !== undefined && queue[0].deadline <= startedAt) settle(queue.shift()!, LATE)
    const share = Math.ceil(known.length / (maxInFlight - inFlight))
    const count = Math.min(Math.max(share, MIN_BATCH), MAX_BATCH)
    const batch = known.splice(0, count).concat(unknown.splice(0, MAX_UNKNOWN_IN_BATCH))
    if (batch.length === 0) return
    inFlight += 1
    schedule()
    const hashes = [...new Set(batch.map(({ keyHash }) => keyHash))]
    const isInTime = (): boolean => batch.every(({ deadline }) => now() < deadline)
    let organizations: OrganizationsByKey | undefined
    let error: unknown
    try {
      organizations = await find(hashes, isInTime)
    } catch (cause) {
      error = cause
    }
    inFlight -= 1
    observe({ kind: 'key-lookup', keyCount: hashes.length, durationMs: now() - startedAt, error })
    schedule()
    if (organizations === undefined) {
      const problem = accessUnavailable('database', error)
      for (const waiting of batch) settle(waiting, problem)
    } else for (const waiting of batch) deliver(waiting, organizations.get(waiting.keyHash))
  }

  function deliver(waiting: Waiting, found: Reader | InvalidAccessRow | undefined): void {
    const isValid = found !== undefined && !(found instanceof InvalidAccessRow)
    if (isValid) recentlyValid.set(waiting.keyHash, true)
    else recentlyValid.delete(waiting.keyHash)
    settle(waiting, found instanceof InvalidAccessRow ? accessUnavailable('row', found) : found)
  }

  /** An error in one callback must not affect the others. */
  function settle({ onFound }: Waiting, outcome: Reader | Problem | undefined): void {
    try {
      onFound(outcome)
    } catch (error) {
      observe({ kind: 'process-error', error })
    }
  }

  return {
    /** Looks up a key. Uses a callback, since a promise would slow down hits. Errors that it throws are observed. */
    find(keyHash: KeyHash, onFound: OnFound): void {
      const waiting = { keyHash, onFound, deadline: now() + LONGEST_MS }
      const queue = recentlyValid.has(keyHash) ? known : unknown
      if (queue === unknown && queue.length >= MAX_WAITING_UNKNOWN) return settle(waiting, CROWD)
      queue.push(waiting)
      schedule()
    },
  }
}

const RETRY_AFTER_SECONDS = 5

const DETAILS = {
  database: 'keyDatabaseSilent',
  row: 'wrongAccessRow',
  crowd: 'tooManyKeys',
} as const

/** The problem of a request whose key cannot be checked. @param cause is only logged */
function accessUnavailable(reason: keyof typeof DETAILS, cause: unknown): Problem {
  const options = { cause, retryAfterSeconds: RETRY_AFTER_SECONDS }
  return new Problem('access_unavailable', texts => texts[DETAILS[reason]], options)
}

// why: created once, since an error's stack is costly, and thousands of requests may receive them
const LATE = accessUnavailable('database', new Error(`no result within ${LONGEST_MS} ms`))
const CROWD = accessUnavailable(
  'crowd',
  new Error(`${MAX_WAITING_UNKNOWN} requests with unknown keys are waiting`),
)

export type PresentedKey =
  | { readonly kind: 'none' }
  /** No such key can exist: it is rejected without a look-up. */
  | { readonly kind: 'impossible' }
  | { readonly kind: 'key'; readonly hash: KeyHash }

const MAX_KEY_BYTES = 512

/**
 * The key of a request. No plain key outlives the call. Keys are read without regular expressions: V8 retains the text of the
 * last match.
 *
 * `Authorization` takes precedence over `X-Api-Key`. It is Bearer, or Basic with the key as password or, if
 * that is empty, as user name. A header that is empty or of another scheme is ignored. Node has removed blanks around
 * values.
 */
export function presentedKey(
  authorization: string | undefined,
  apiKey: string | undefined,
): PresentedKey {
  const key = authorizationKey(authorization ?? '') || (apiKey ?? '')
  if (key === '') return { kind: 'none' }
  if (key.length > MAX_KEY_BYTES || !isPrintableAscii(key)) return { kind: 'impossible' }
  return { kind: 'key', hash: hash('sha256', key) }
}

const BLANK = 0x20

function isPrintableAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

/** Empty if the header contains no key. */
function authorizationKey(value: string): string {
  const blank = value.indexOf(' ')
  if (blank < 0) return ''
  let start = blank
  while (value.charCodeAt(start) === BLANK) start += 1
  const credentials = value.slice(start)
  switch (value.slice(0, blank).toLowerCase()) {
    case 'bearer':
      return credentials
    case 'basic':
      return basicKey(credentials)
    default:
      return ''
  }
}

/** Decodes base64 of `user:password` in UTF-8; Node ignores other characters. @see https://www.rfc-editor.org/rfc/rfc7617 */
function basicKey(credentials: string): string {
  // why: a buffer from Node's shared pool would retain the key until it is overwritten
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(credentials, 'base64'))
  const length = bytes.write(credentials, 'base64')
  const pair = bytes.toString('utf8', 0, length)
  bytes.fill(0)
  const colon = pair.indexOf(':')
  if (colon < 0) return ''
  return pair.slice(colon + 1) || pair.slice(0, colon)
}
