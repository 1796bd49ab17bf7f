/** Checks the API key, the tier and the number of requests. */
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { InvalidAccessRows } from '../access/invalid-access-row.ts'
import type { OrganizationLookup } from '../access/organization-lookup.ts'
import { Problem } from '../../model/errors.ts'
import type { KeyOutcome, Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import type { ActiveRequests } from './active-requests.ts'
import type { Connections } from './connections.ts'
import type { Request } from './request.ts'

export type Authentication = ReturnType<typeof createAuthentication>

/** Longest look-up of a key after the deadline. */
const GRACE_MS: Milliseconds = 3000
/** A response that took longer is sent only if the key is still valid. */
const MAX_AGE_MS: Milliseconds = 1000

export function createAuthentication(options: {
  readonly lookup: OrganizationLookup
  readonly invalidRows: InvalidAccessRows
  readonly connections: Connections
  readonly requests: ActiveRequests
  readonly observe: Observe
  readonly now: Clock
}) {
  const { lookup, invalidRows, connections, requests, observe, now } = options
  const observeKey = (outcome: KeyOutcome): void => observe({ kind: 'key-checked', outcome })

  /** The organization, or why the request is rejected. */
  function entitled(
    { connection, fact }: Request,
    found: Organization | Problem | undefined,
  ): Organization | Problem {
    if (found === undefined) {
      observeKey('invalid')
      return KEY_INVALID
    }
    if (found instanceof Problem) {
      const { cause } = found
      observeKey(cause instanceof InvalidAccessRow ? 'invalid_row' : 'unavailable')
      if (cause instanceof InvalidAccessRow) {
        invalidRows.note(cause)
        fact.organizationId = cause.id
      }
      return found
    }
    connections.noteValidKey(connection, found.id)
    if (found.entitled) return found
    observeKey('locked')
    return MODULE_LOCKED
  }

  function accept(
    request: Request,
    found: Organization | Problem | undefined,
  ): Problem | undefined {
    const organization = entitled(request, found)
    if (organization instanceof Problem) return organization
    observeKey('valid')
    request.organization = organization
    request.fact.organizationId = organization.id
    request.authenticatedAt = now()
    request.authMs = request.authenticatedAt - request.startedAt
    return requests.admit(request, organization)
  }

  return {
    /**
     * Sets the request's organization.
     * @param done called with a Problem if the request is rejected; a promise would slow down hits
     */
    check(request: Request, done: (problem?: Problem) => void): void {
      const { key } = request
      if (key.kind === 'none') {
        observeKey('missing')
        return done(KEY_REQUIRED)
      }
      if (key.kind === 'impossible') return done(accept(request, undefined))
      lookup.find(key.hash, found => done(accept(request, found)))
    },
    /**
     * Looks up the key again if the last look-up is too old for a response. Undefined if it is not.
     * @throws Problem if the key is no longer valid
     */
    checkAgain(request: Request): Promise<void> | undefined {
      const { organization, key, stop } = request
      if (organization === undefined || now() - request.authenticatedAt < MAX_AGE_MS)
        return undefined
      if (key.kind !== 'key') throw KEY_INVALID
      return new Promise((resolve, reject) => {
        stop.onStop(reason => {
          // why: at the deadline a stale response may be sent, and its status line is due within five seconds
          if (reason instanceof Problem) setTimeout(reject, GRACE_MS, reason).unref()
          else reject(reason)
        })
        lookup.find(key.hash, found => {
          const current = entitled(request, found)
          request.authenticatedAt = now()
          if (current instanceof Problem) reject(current)
          else if (current.id === organization.id) resolve()
          else reject(KEY_INVALID)
        })
      })
    },
  }
}

// why: created once, since an error's stack costs as much as the look-up, and thousands of invalid keys may arrive
const KEY_REQUIRED = new Problem('api_key_required', {
  ru: 'Передайте ключ в заголовке Authorization: Bearer <ключ> или X-Api-Key: <ключ>. Ключ в адресе не принимается.',
  en: 'Send the key in the header Authorization: Bearer <key> or X-Api-Key: <key>. A key in the URL is ignored.',
})

const KEY_INVALID = new Problem('api_key_invalid', {
  ru: 'Ключ неизвестен или отозван. Создайте новый в личном кабинете.',
  en: 'The key is unknown or revoked. Create another one in your web account.',
})

const MODULE_LOCKED = new Problem('module_locked', {
  ru: 'Тариф организации ниже «Бизнеса». Смените тариф в личном кабинете.',
  en: "The organization's tier is below Business. Change the tier in your web account.",
})
