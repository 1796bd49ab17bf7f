/**
 * Aliases map the literal bytes of a request (target and headers) to a cached response. An alias does not depend on
 * freshness. It refers to the cached values by key and stores no copy of them, except for a body combined from several.
 */
import { localDate } from '../../../definitions/calendar.ts'
import type { Bytes, IsoDate, Milliseconds, Organization } from '../../../model/terms.ts'
import { createStore } from '../../cache/store.ts'
import type { PlainRequest } from './plain-request.ts'

/** Everything that determines the response, except the time. */
export interface AliasRequest {
  /** Path and query as received, and the headers that select a representation. */
  readonly plain: Pick<PlainRequest, 'target' | 'accept' | 'acceptEncoding'>
  readonly organization: Organization
  /** A new catalog invalidates all aliases. */
  readonly catalog: object
}

export interface Aliases<Target> {
  /** The target of an equal request, unless its organization or the date has changed. */
  find(request: AliasRequest, nowMs: Milliseconds): Target | undefined
  /**
   * @param nowMs determines the date, on which the default period depends
   * @param byteCount of the target
   */
  add(request: AliasRequest, target: Target, nowMs: Milliseconds, byteCount: Bytes): void
  byteCount(): Bytes
}

interface Alias<Target> {
  readonly organizationId: string
  readonly timeZone: string
  readonly organizationName: string | undefined
  readonly date: IsoDate
  readonly target: Target
}

/** If an organization exceeds this share, its own aliases are evicted. */
const ORGANIZATION_SHARE = 0.25

/** @param maxBytes separate from the cache's limit: requests that never repeat must not evict cached responses */
export function createAliases<Target>(maxBytes: Bytes): Aliases<Target> {
  const createEmpty = () =>
    createStore<Alias<Target>>({
      maxBytes,
      organizationShare: ORGANIZATION_SHARE,
      onEvict: () => undefined,
    })
  let store = createEmpty()
  let currentCatalog: object | undefined

  function useCatalog(catalog: object): void {
    if (catalog === currentCatalog) return
    currentCatalog = catalog
    store = createEmpty()
  }

  return {
    byteCount: () => store.byteCount(),
    find(request, nowMs) {
      useCatalog(request.catalog)
      const key = keyOf(request)
      const alias = store.get(key)
      if (alias === undefined) return undefined
      if (isValid(alias, request, nowMs)) return alias.target
      store.delete(key)
      return undefined
    },
    add(request, target, nowMs, byteCount) {
      useCatalog(request.catalog)
      const key = keyOf(request)
      const { id: organizationId, timeZone, name: organizationName } = request.organization
      const date = localDate(nowMs, timeZone)
      const alias = { organizationId, timeZone, organizationName, date, target }
      store.set(key, organizationId, alias, byteCount + 2 * key.length)
    },
  }
}

function isValid(
  alias: Alias<unknown>,
  { organization }: AliasRequest,
  nowMs: Milliseconds,
): boolean {
  return (
    alias.organizationId === organization.id &&
    alias.timeZone === organization.timeZone &&
    alias.organizationName === organization.name &&
    alias.date === localDate(nowMs, organization.timeZone)
  )
}

/** Unambiguous, since headers contain neither line feeds nor NUL. */
function keyOf({ plain, organization }: AliasRequest): string {
  const { target, accept = '\0', acceptEncoding = '\0' } = plain
  // why: a string concatenated with + would have to be flattened first, at three times the cost
  return [target, accept, acceptEncoding, organization.id].join('\n')
}
