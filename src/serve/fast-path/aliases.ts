/**
 * What a client literally asked, as a short way to a cached response: only words that are equal to the last byte are
 * the same. An alias says nothing of freshness, and holds no response that has a key.
 */
import { localDate } from '../../definitions/calendar.ts'
import type { Bytes, IsoDate, Milliseconds, Organization } from '../../model/terms.ts'
import { createStore } from '../cache/store.ts'
import type { PlainRequest } from './plain-request.ts'

/** Everything that the meaning of a request hangs on, beside the moment. */
export interface Wording {
  /** Path and query as they came, and the headers that choose a representation. */
  readonly plain: Pick<PlainRequest, 'target' | 'accept' | 'acceptEncoding'>
  readonly organization: Organization
  /** Definitions that the words are understood by: others understand them otherwise. */
  readonly catalog: object
}

/** Of one type of meaning. */
export interface Aliases<Meaning> {
  /** What `learn` was given for the same words, if they still mean that; else undefined. */
  find(wording: Wording, nowMs: Milliseconds): Meaning | undefined
  /**
   * @param nowMs the words may mean another thing at another date: without a period they mean this year
   * @param byteCount of the meaning
   */
  learn(wording: Wording, meaning: Meaning, nowMs: Milliseconds, byteCount: Bytes): void
  byteCount(): Bytes
}

interface Alias<Meaning> {
  readonly organizationId: string
  readonly timeZone: string
  readonly date: IsoDate
  readonly meaning: Meaning
}

/** One organization that asks in ever other words pushes out its own. */
const ORGANIZATION_SHARE = 0.25

/**
 * @param maxBytes of aliases alone: words that never come again must not push answers out
 */
export function createAliases<Meaning>(maxBytes: Bytes): Aliases<Meaning> {
  const createEmpty = () =>
    createStore<Alias<Meaning>>({
      maxBytes,
      organizationShare: ORGANIZATION_SHARE,
      onEvict: () => undefined,
    })
  let store = createEmpty()
  let understoodBy: object | undefined

  /** Another catalog understands none of the words that are known. */
  function understand(catalog: object): void {
    if (catalog === understoodBy) return
    understoodBy = catalog
    store = createEmpty()
  }

  return {
    byteCount: () => store.byteCount(),
    find(wording, nowMs) {
      understand(wording.catalog)
      const key = keyOf(wording)
      const alias = store.get(key)
      if (alias === undefined) return undefined
      if (holds(alias, wording, nowMs)) return alias.meaning
      store.delete(key)
      return undefined
    },
    learn(wording, meaning, nowMs, byteCount) {
      understand(wording.catalog)
      const key = keyOf(wording)
      const { id: organizationId, timeZone } = wording.organization
      const alias = { organizationId, timeZone, date: localDate(nowMs, timeZone), meaning }
      store.set(key, organizationId, alias, byteCount + 2 * key.length)
    },
  }
}

function holds(alias: Alias<unknown>, { organization }: Wording, nowMs: Milliseconds): boolean {
  return (
    alias.organizationId === organization.id &&
    alias.timeZone === organization.timeZone &&
    alias.date === localDate(nowMs, organization.timeZone)
  )
}

/** No header holds a line's end or a NUL. */
function keyOf({ plain, organization }: Wording): string {
  const { target, accept = '\0', acceptEncoding = '\0' } = plain
  // why: a text of pieces would be put together, hashed and compared at three times the cost
  return [target, accept, acceptEncoding, organization.id].join('\n')
}
