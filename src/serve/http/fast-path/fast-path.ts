/**
 * Finds cached responses by the literal bytes of requests (target and headers), without a parse of the parameters. An
 * alias refers to cached values by key, and is valid while they are fresh and unchanged. It has no copy of their bytes,
 * except of a body combined from several.
 */
import { localDate } from '../../../definitions/calendar.ts'
import type { Bytes, Clock } from '../../../model/terms.ts'
import type { Reader } from '../../access/access-rows.ts'
import type { Cache } from '../../cache/cache.ts'
import type { Cached } from '../../cache/entry.ts'
import { createStore } from '../../cache/store.ts'
import type { MemoryBody } from '../../report/body.ts'
import type { Request } from '../request.ts'
import { mergeMetadata, type Response } from '../response.ts'

interface Alias {
  /** why: the others refer to bytes that the cache may have evicted */
  readonly response: Omit<Response, 'body' | 'cached' | 'metadata'>
  /** Undefined if it is that of the only cached value. */
  readonly body: Buffer | undefined
  /** why: without the values, which the cache may have evicted */
  readonly values: ReadonlyArray<{ readonly key: string; readonly version: number }>
}

/** Estimated size of an alias without its texts. */
const ALIAS_BYTES: Bytes = 1024

export type FastPath = ReturnType<typeof createFastPath>

/** @param maxBytes separate from the cache's limit: requests that never repeat must not evict cached responses */
export function createFastPath(cache: Cache, maxBytes: Bytes, now: Clock) {
  let store = createStore<Alias>(maxBytes)
  let currentCatalog: Reader['catalog']['whole'] | undefined

  /** A new catalog invalidates all aliases. */
  function useCatalog({ whole }: Reader['catalog']): void {
    if (whole === currentCatalog) return
    currentCatalog = whole
    store = createStore<Alias>(maxBytes)
  }

  return {
    byteCount: (): Bytes => store.byteCount(),
    /** The response of an equal request, if the cached values that it was made from are fresh. */
    find(request: Request, organization: Reader): Response | undefined {
      if (!isPlain(request)) return undefined
      useCatalog(organization.catalog)
      const alias = store.get(keyOf(request, organization))
      if (alias === undefined) return undefined
      const nowMs = now()
      const hits: Array<Cached<unknown>> = []
      let { body } = alias
      for (const { key, version } of alias.values) {
        const hit = cache.hit(key, nowMs)
        if (hit?.entry.version !== version) return undefined
        // why: this version of the value was a body in memory
        body ??= bytesOf(hit.value as MemoryBody, alias.response.coding)
        hits.push(hit)
      }
      if (body === undefined) return undefined
      return { body, metadata: mergeMetadata(hits), isShortcut: true, ...alias.response }
    },
    /**
     * Does nothing unless the response was made from cached values.
     * why: a response that is requested once, as by most loaders, needs no alias (cold reports of a few rows: 5 % of the CPU)
     */
    remember(request: Request, organization: Reader, made: Response): void {
      if (made.metadata?.outcome !== 'hit') return
      const { body, cached = [], metadata: _, ...response } = made
      if (cached.length === 0) return
      if (!isPlain(request) || !Buffer.isBuffer(body)) return
      useCatalog(organization.catalog)
      const own = cached[0]!.value.kind === 'memory' ? undefined : body
      const values = cached.map(({ key, entry }) => ({ key, version: entry.version }))
      const key = keyOf(request, organization)
      const texts = [key, ...response.head, ...values.map(value => value.key)]
      const byteCount = texts.reduce((sum, { length }) => sum + length, own?.length ?? 0)
      const alias = { response, body: own, values }
      store.set(key, organization.id, alias, ALIAS_BYTES + byteCount)
    },
  }
}

/** A request that asks for nothing but the cached response. */
function isPlain({ method, headers, url }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const { cacheControl, range } = headers
  return cacheControl === undefined && range === undefined && !url.includes('#')
}

/**
 * Everything that determines the response, except the time of day. Unambiguous, since headers contain neither line
 * feeds nor NUL.
 */
function keyOf(
  { url, headers, receivedAt }: Request,
  { id, timeZone, name = '\0', currency = '', catalog }: Reader,
): string {
  const { accept = '\0', acceptEncoding = '\0' } = headers
  const date = localDate(receivedAt, timeZone)
  // why: a string concatenated with + would have to be flattened first, at three times the cost
  return [url, accept, acceptEncoding, id, timeZone, name, currency, date, catalog.scopeId].join(
    '\n',
  )
}

function bytesOf(body: MemoryBody, coding: Response['coding']): Buffer | undefined {
  return coding === 'gzip' ? body.gzip?.bytes : body.bytes
}
