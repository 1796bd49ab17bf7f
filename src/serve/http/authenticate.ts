/** Checks the API key, the tier and the number of requests, for the fast path and for Koa. */
import type { PresentedKey } from '../access/api-key.ts'
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { OrganizationLookup } from '../access/organization-lookup.ts'
import { Problem } from '../../model/errors.ts'
import type { KeyOutcome, Observe } from '../../model/observation.ts'
import type { Clock, Organization } from '../../model/terms.ts'
import type { ActiveRequests, RequestState } from './active-requests.ts'
import type { Connections } from './connections.ts'

/**
 * Sets `state.organization`, unless the client disconnects first.
 * @param done called with a Problem if the request is rejected; a promise would slow down hits
 */
export type Authenticate = (
  state: RequestState,
  key: PresentedKey,
  done: (problem?: Problem) => void,
) => void

export function createAuthenticate(options: {
  readonly lookup: OrganizationLookup
  readonly connections: Connections
  readonly requests: ActiveRequests
  readonly observe: Observe
  readonly now: Clock
}): Authenticate {
  const { lookup, connections, requests, observe, now } = options
  const observeKey = (outcome: KeyOutcome): void => observe({ kind: 'key-checked', outcome })

  function accept(
    state: RequestState,
    organization: Organization | undefined,
  ): Problem | undefined {
    if (organization === undefined) {
      observeKey('invalid')
      return KEY_INVALID
    }
    connections.noteValidKey(state.connection, organization.id)
    if (!organization.entitled) {
      observeKey('locked')
      return moduleLocked()
    }
    observeKey('valid')
    state.organization = organization
    state.timings.push(['auth', now() - state.startedAt])
    if (requests.admit(state, organization)) return undefined
    return tooManyRequests(requests.maxRequestsPerOrganization)
  }

  return (state, key, done) => {
    if (key.kind === 'none') {
      observeKey('missing')
      return done(KEY_REQUIRED)
    }
    if (key.kind === 'impossible') return done(accept(state, undefined))
    lookup.find(key.hash, found => {
      if (found instanceof Problem) {
        observeKey(found.cause instanceof InvalidAccessRow ? 'invalid_row' : 'unavailable')
        done(found)
      } else done(state.response.closed ? undefined : accept(state, found))
    })
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

function moduleLocked(): Problem {
  return new Problem('module_locked', {
    ru: 'Тариф организации ниже «Бизнеса». Смените тариф в личном кабинете.',
    en: "The organization's tier is below Business. Change the tier in your web account.",
  })
}

/** Most requests end within a second. */
const RETRY_AFTER_SECONDS = 1

function tooManyRequests(max: number): Problem {
  return new Problem(
    'rate_limited',
    {
      ru: `Одновременно обрабатывается не более ${max} запросов организации. Дождитесь ответов и повторите запрос.`,
      en: `At most ${max} requests of an organization are processed at once. Wait for responses and retry.`,
    },
    { retryAfterSeconds: RETRY_AFTER_SECONDS, refusal: 'requests' },
  )
}
