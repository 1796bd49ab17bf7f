/** Checks the API key and the tier. */
import type { OrganizationLookup } from '../access/organization-lookup.ts'
import { Problem } from '../../model/errors.ts'
import type { KeyOutcome, Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { ActiveRequests, Exchange } from './active-requests.ts'
import type { Access } from './request.ts'
import { InvalidAccessRow, type InvalidAccessRows, type Reader } from '../access/access-rows.ts'

export type Authentication = ReturnType<typeof createAuthentication>

/** Longest look-up of a key after the deadline. */
const SECOND_LOOKUP_MS: Milliseconds = 3000
/** A response that took longer is sent only if the key is still valid. */
const MAX_AGE_MS: Milliseconds = 1000

export function createAuthentication(options: {
  readonly lookup: OrganizationLookup
  readonly invalidRows: InvalidAccessRows
  readonly requests: ActiveRequests
  readonly observe: Observe
  readonly now: Clock
}) {
  const { lookup, invalidRows, requests, observe, now } = options
  const observeKey = (outcome: KeyOutcome): void => observe({ kind: 'key-checked', outcome })

  /** The organization, or why the request is rejected. */
  function entitled(
    { connection }: Exchange,
    found: Reader | Problem | undefined,
  ): Reader | Problem {
    if (found === undefined) {
      observeKey('invalid')
      return KEY_INVALID
    }
    if (found instanceof Problem) {
      const { cause } = found
      observeKey(cause instanceof InvalidAccessRow ? 'invalid_row' : 'unavailable')
      if (cause instanceof InvalidAccessRow) invalidRows.note(cause)
      return found
    }
    requests.noteValidKey(connection, found)
    if (found.entitled) return found
    observeKey('locked')
    return MODULE_LOCKED
  }

  return {
    /** @param done gets why the request is rejected, or its access; a promise would slow down hits */
    check(exchange: Exchange, done: (found: Access | Problem) => void): void {
      const { key } = exchange.request
      const accept = (found: Reader | Problem | undefined): void => {
        const organization = entitled(exchange, found)
        if (organization instanceof Problem) return done(organization)
        observeKey('valid')
        done({ organization, checkedAt: now() })
      }
      if (key.kind === 'key') return lookup.find(key.hash, accept)
      if (key.kind === 'impossible') return accept(undefined)
      observeKey('missing')
      done(KEY_REQUIRED)
    },
    /**
     * Looks up the key again if its look-up is too old for a response. Undefined if it is not; else what the key may read
     * now, if that has changed.
     * @throws Problem if the key is no longer valid
     */
    checkAgain(exchange: Exchange, access: Access): Promise<Access | undefined> | undefined {
      const { key, stop } = exchange.request
      if (now() - access.checkedAt < MAX_AGE_MS) return undefined
      if (key.kind !== 'key') throw KEY_INVALID
      return new Promise((resolve, reject) => {
        stop.onStop(reason => {
          // why: at the deadline a stale response may be sent, and its status line is due within five seconds
          if (reason instanceof Problem) setTimeout(reject, SECOND_LOOKUP_MS, reason).unref()
          else reject(reason)
        })
        lookup.find(key.hash, found => {
          const current = entitled(exchange, found)
          const { id, catalog } = access.organization
          if (current instanceof Problem) reject(current)
          else if (current.id !== id) reject(KEY_INVALID)
          else if (current.catalog.scopeId === catalog.scopeId) resolve(undefined)
          else resolve({ organization: current, checkedAt: now() })
        })
      })
    },
  }
}

// why: created once, since an error's stack costs as much as the look-up, and thousands of invalid keys may arrive
const KEY_REQUIRED = new Problem('api_key_required', texts => texts.keyRequired)

const KEY_INVALID = new Problem('api_key_invalid', texts => texts.keyInvalid)

const MODULE_LOCKED = new Problem('module_locked', texts => texts.moduleLocked)
