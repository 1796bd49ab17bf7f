/**
 * What a client literally asked, as a short way to what the cache keeps: only words that are equal to
 * the last byte are the same. An alias says nothing of freshness, and holds no answer that has a key.
 */
import type { Bytes, Milliseconds, Organization } from '../terms.ts'
import { createStore } from './store.ts'

/** Everything that the meaning of a request hangs on, beside the moment. */
export interface Wording {
  readonly organization: Organization
  /** Definitions that the words are understood by: others understand them otherwise. */
  readonly catalog: object
  /** Path and query as they came. */
  readonly target: string
  readonly accept: string | undefined
  readonly acceptEncoding: string | undefined
}

/** Of one type of meaning. */
export interface Aliases<Meaning> {
  /** What `learn` was given for the same words, if they still mean that; else undefined. */
  find(wording: Wording, nowMs: Milliseconds): Meaning | undefined
  /**
   * @param until when the words may come to mean another thing: at midnight "this year" may
   * @param byteCount of the meaning
   */
  learn(wording: Wording, meaning: Meaning, until: Milliseconds, byteCount: Bytes): void
  byteCount(): Bytes
}

interface Alias<Meaning> {
  readonly organizationId: string
  readonly timeZone: string
  readonly catalog: WeakRef<object>
  readonly until: Milliseconds
  readonly meaning: Meaning
}

/** One organization that asks in ever other words pushes out its own. */
const ORGANIZATION_SHARE = 0.25

/**
 * @param maxBytes of aliases alone: words that never come again must not push answers out
 */
export function createAliases<Meaning>(maxBytes: Bytes): Aliases<Meaning> {
  const store = createStore<Alias<Meaning>>({
    maxBytes,
    organizationShare: ORGANIZATION_SHARE,
    onEvict: () => undefined,
  })
  return {
    byteCount: () => store.byteCount(),
    find(wording, nowMs) {
      const key = keyOf(wording)
      const alias = store.get(key)
      if (alias === undefined) return undefined
      if (holds(alias, wording, nowMs)) return alias.meaning
      store.delete(key)
      return undefined
    },
    learn(wording, meaning, until, byteCount) {
      const { organization, catalog } = wording
      const key = keyOf(wording)
      const { id: organizationId, timeZone } = organization
      // why: a catalog that has been replaced is not kept for an alias that is dead with it
      const alias = { organizationId, timeZone, catalog: new WeakRef(catalog), until, meaning }
      store.set(key, organizationId, alias, byteCount + 2 * key.length)
    },
  }
}

function holds(alias: Alias<unknown>, wording: Wording, nowMs: Milliseconds): boolean {
  const { organization, catalog } = wording
  return (
    alias.organizationId === organization.id &&
    alias.timeZone === organization.timeZone &&
    alias.catalog.deref() === catalog &&
    nowMs < alias.until
  )
}

/** No header holds a line's end or a NUL. */
function keyOf({ organization, target, accept = '\0', acceptEncoding = '\0' }: Wording): string {
  return `${target}\n${accept}\n${acceptEncoding}\n${organization.id}`
}
