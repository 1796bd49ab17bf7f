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
import type { Clock, Organization } from '../terms.ts'

/** Answers, by hex hash, the organizations of those keys that are valid now. Rejects if it cannot tell. */
export type FindOrganizations = (
  keyHashes: readonly Buffer[],
) => Promise<ReadonlyMap<string, Organization>>

export interface OrganizationLookup {
  /**
   * The organization of a key, by the SHA-256 of the key; undefined if the key is not valid.
   * @throws Problem `access_unavailable` if no database can tell in time.
   */
  (keyHash: Buffer): Promise<Organization | undefined>
}

interface Waiting {
  readonly hash: Buffer
  readonly resolve: Array<(organization: Organization | undefined) => void>
  readonly reject: Array<(error: unknown) => void>
}

export function createOrganizationLookup(options: {
  readonly find: FindOrganizations
  readonly maxInFlight: number
  readonly observe: Observe
  readonly now: Clock
}): OrganizationLookup {
  const { find, maxInFlight, observe, now } = options
  let waiting = new Map<string, Waiting>()
  let inFlight = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || inFlight >= maxInFlight || waiting.size === 0) return
    scheduled = true
    // why: all requests that arrived in this turn of the event loop join one batch
    setImmediate(() => {
      scheduled = false
      void send()
    })
  }

  async function send(): Promise<void> {
    const batch = waiting
    waiting = new Map()
    inFlight += 1
    const startedAt = now()
    let error: unknown
    try {
      const organizations = await find([...batch.values()].map(({ hash }) => hash))
      for (const [hex, { resolve }] of batch) {
        const organization = organizations.get(hex)
        for (const settle of resolve) settle(organization)
      }
    } catch (cause) {
      error = cause
      const problem = accessUnavailable(cause)
      for (const { reject } of batch.values()) for (const settle of reject) settle(problem)
    }
    inFlight -= 1
    observe({ kind: 'key-lookup', keyCount: batch.size, durationMs: now() - startedAt, error })
    schedule()
  }

  return keyHash =>
    new Promise((resolve, reject) => {
      const hex = keyHash.toString('hex')
      const already = waiting.get(hex)
      if (already) {
        already.resolve.push(resolve)
        already.reject.push(reject)
      } else {
        waiting.set(hex, { hash: keyHash, resolve: [resolve], reject: [reject] })
      }
      schedule()
    })
}

const RETRY_AFTER_SECONDS = 5

function accessUnavailable(cause: unknown): Problem {
  return new Problem(
    'access_unavailable',
    {
      ru: 'База ключей сейчас не отвечает. Повторите запрос позже.',
      en: 'The database of keys does not answer now. Try again later.',
    },
    { cause, retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}
