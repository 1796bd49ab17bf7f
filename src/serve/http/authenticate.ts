/** API key -> Organization, and its number of requests, for every path under the prefix; elsewhere there is nothing to see. */
import { readApiKey } from '../access/api-key.ts'
import type { KeyHash } from '../access/api-key.ts'
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { OrganizationLookup } from '../access/organization-lookup.ts'
import { Problem } from '../../model/errors.ts'
import type { KeyOutcome, Observe } from '../../model/observation.ts'
import type { Clock, Organization } from '../../model/terms.ts'
import type { ActiveRequests } from './active-requests.ts'
import type { Connections } from './connections.ts'
import type { LookedUp } from '../fast-path/hand-down.ts'
import { PREFIX } from './paths.ts'
import type { ApiContext, ApiMiddleware } from './request-state.ts'

export function authenticate(options: {
  readonly lookup: OrganizationLookup
  readonly connections: Connections
  readonly requests: ActiveRequests
  readonly observe: Observe
  readonly now: Clock
}): ApiMiddleware {
  const { lookup, connections, requests, observe, now } = options
  const checked = (outcome: KeyOutcome): void => observe({ kind: 'key-checked', outcome })

  async function organizationOf({ req, state }: ApiContext): Promise<Organization> {
    const { lookedUp, active } = state
    const key = lookedUp?.plain.key ?? readApiKey(req.headersDistinct)
    if (key.kind === 'none') {
      checked('missing')
      throw KEY_REQUIRED
    }
    const organization = key.kind === 'key' ? await find(key.hash, lookedUp) : undefined
    if (!organization) {
      checked('invalid')
      throw KEY_INVALID
    }
    connections.noteValidKey(active.connection)
    if (!organization.entitled) {
      checked('locked')
      throw moduleLocked()
    }
    checked('valid')
    return organization
  }

  async function find(
    hash: KeyHash,
    lookedUp: LookedUp | undefined,
  ): Promise<Organization | undefined> {
    try {
      return lookedUp ? lookedUp.organization() : await lookup(hash)
    } catch (error) {
      checked(isInvalidRow(error) ? 'invalid_row' : 'unavailable')
      throw error
    }
  }

  return async (ctx, next) => {
    if (ctx.path !== PREFIX && !ctx.path.startsWith(`${PREFIX}/`)) throw notFound()
    const { lookedUp, active } = ctx.state
    const startedAt = now()
    ctx.state.organization = await organizationOf(ctx)
    ctx.state.timings.push(['auth', lookedUp?.lookupMs ?? now() - startedAt])
    if (!requests.admit(active, ctx.state.organization.id)) {
      throw tooManyRequests(requests.maxRequestsPerOrganization)
    }
    await next()
  }
}

function isInvalidRow(error: unknown): boolean {
  return error instanceof Problem && error.cause instanceof InvalidAccessRow
}

// why: made once, for strangers cause them by thousands, and an error's stack costs as much as the look-up
const KEY_REQUIRED = new Problem('api_key_required', {
  ru: 'Передайте ключ в заголовке Authorization: Bearer <ключ> или X-Api-Key: <ключ>. Ключ в адресе не принимается.',
  en: 'Send the key in the header Authorization: Bearer <key> or X-Api-Key: <key>. A key in the URL is no key.',
})

export const KEY_INVALID = new Problem('api_key_invalid', {
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

export function notFound(): Problem {
  return new Problem('not_found', {
    ru: `Такого адреса нет. Есть ${PREFIX}/ping, /reports, /reports/:code и /metrics; регистр и завершающая косая черта важны.`,
    en: `There is no such path. There are ${PREFIX}/ping, /reports, /reports/:code and /metrics; case and a trailing slash count.`,
  })
}
