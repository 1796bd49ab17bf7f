/**
 * Entries with a size limit in bytes; the least recently used is evicted first. If an organization exceeds
 * its share, its own entries are evicted. Knows nothing of time, SQL or Koa.
 */
import { LRUCache } from 'lru-cache'
import type { Bytes } from '../../model/terms.ts'

/** Memory of an entry without its bytes: key, headers, list nodes (measured: 0.6 to 0.9 KB). */
const ENTRY_OVERHEAD_BYTES = 1024
/** The part of all bytes that one organization may use. */
const ORGANIZATION_SHARE = 0.25

interface Stored<V> {
  readonly value: V
  readonly organizationId: string
  readonly size: Bytes
}

/** The entries of an organization. */
interface Share {
  byteCount: Bytes
  /** The least recently used first. */
  readonly keys: Set<string>
}

export function createStore<V>(
  maxBytes: Bytes,
  onEvict: (reason: 'space' | 'share', value: V) => void = () => undefined,
) {
  const shareMaxBytes = Math.floor(maxBytes * ORGANIZATION_SHARE)
  const shares = new Map<string, Share>()
  const entries = new LRUCache<string, Stored<V>>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => size,
    dispose: ({ organizationId, size, value }, key, reason) => {
      const share = shares.get(organizationId)!
      share.keys.delete(key)
      share.byteCount -= size
      if (share.keys.size === 0) shares.delete(organizationId)
      if (reason === 'evict') onEvict('space', value)
    },
  })

  function evictFromShare({ byteCount, keys }: Share, size: Bytes): void {
    let surplus = byteCount + size - shareMaxBytes
    for (const key of keys) {
      if (surplus <= 0) return
      const { size: evicted, value } = entries.peek(key)!
      surplus -= evicted
      entries.delete(key)
      onEvict('share', value)
    }
  }

  /** Replaces the value of the key. False if the new one is larger than an organization's share: it is not stored. */
  function set(key: string, organizationId: string, value: V, byteCount: Bytes): boolean {
    entries.delete(key)
    // why: a body just under the limit of an entry is cached, and a share may be equal to that limit
    if (byteCount > shareMaxBytes) return false
    const size = byteCount + ENTRY_OVERHEAD_BYTES
    const current = shares.get(organizationId)
    if (current !== undefined) evictFromShare(current, size)
    // why: an eviction that empties the share removes it
    const share = shares.get(organizationId) ?? { byteCount: 0, keys: new Set() }
    shares.set(organizationId, share)
    share.keys.add(key)
    share.byteCount += size
    entries.set(key, { value, organizationId, size })
    return true
  }

  return {
    set,
    get(key: string): V | undefined {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      const { keys } = shares.get(entry.organizationId)!
      keys.delete(key)
      keys.add(key)
      return entry.value
    },
    /** The value, which does not count as used. */
    peek: (key: string): V | undefined => entries.peek(key)?.value,
    /** Adds to the size. False, without a change, if there is no entry or its size would exceed an organization's share. */
    grow(key: string, byteCount: Bytes): boolean {
      const entry = entries.peek(key)
      if (entry === undefined || entry.size + byteCount > shareMaxBytes) return false
      const { organizationId, value, size } = entry
      return set(key, organizationId, value, size - ENTRY_OVERHEAD_BYTES + byteCount)
    },
    delete: (key: string): void => void entries.delete(key),
    byteCount: (): Bytes => entries.calculatedSize,
    entryCount: (): number => entries.size,
  }
}
