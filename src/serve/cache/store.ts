/**
 * Entries with a size limit in bytes; the least recently used is evicted first. If an organization exceeds
 * its share, its own entries are evicted. Knows nothing of time, SQL or Koa.
 */
import { LRUCache } from 'lru-cache'
import type { Bytes } from '../../model/terms.ts'

export interface Store<V> {
  get(key: string): V | undefined
  /** As `get`, without marking the entry as used. */
  peek(key: string): V | undefined
  /** False if the value is larger than an organization's share; it is not cached then. */
  set(key: string, organizationId: string, value: V, byteCount: Bytes): boolean
  /** Adds to the size. False, without a change, if there is no entry or its size would exceed an organization's share. */
  grow(key: string, byteCount: Bytes): boolean
  delete(key: string): void
  byteCount(): Bytes
  entryCount(): number
}

/** Memory of an entry without its bytes: key, headers, list nodes (measured: 0.6 to 0.9 KB). */
const ENTRY_OVERHEAD_BYTES = 1024

interface Entry<V> {
  readonly value: V
  readonly organizationId: string
  readonly size: Bytes
  /** Whether it was read since its key moved to the end of the share. */
  used: boolean
}

interface Share {
  byteCount: Bytes
  /**
   * Oldest first, evicted by the second-chance algorithm: moving a key at each use would cost as much as
   * finding its value.
   */
  readonly keys: Set<string>
}

export function createStore<V>(options: {
  readonly maxBytes: Bytes
  /** The part of `maxBytes` that one organization may use, from 0 to 1. */
  readonly organizationShare: number
  readonly onEvict: (reason: 'space' | 'share') => void
  /** Called for each value that is evicted, deleted or replaced. */
  readonly onRemove?: (value: V) => void
}): Store<V> {
  const { maxBytes, onEvict, onRemove } = options
  const shareMaxBytes = Math.floor(maxBytes * options.organizationShare)
  const shares = new Map<string, Share>()
  const entries = new LRUCache<string, Entry<V>>({
    maxSize: maxBytes,
    sizeCalculation: entry => entry.size,
    dispose: (entry, key, reason) => {
      removeFromShare(entry, key)
      onRemove?.(entry.value)
      if (reason === 'evict') onEvict('space')
    },
  })

  function removeFromShare(entry: Entry<V>, key: string): void {
    const share = shares.get(entry.organizationId)
    if (!share?.keys.delete(key)) return
    share.byteCount -= entry.size
    if (share.keys.size === 0) shares.delete(entry.organizationId)
  }

  function evictFromShare(share: Share, size: Bytes): void {
    // why: a key that moves to the end is visited again, and is evicted then
    for (const key of share.keys) {
      if (share.byteCount + size <= shareMaxBytes) return
      const entry = entries.peek(key)
      if (entry?.used === true) {
        entry.used = false
        share.keys.delete(key)
        share.keys.add(key)
        continue
      }
      entries.delete(key)
      onEvict('share')
    }
  }

  /** The key must have no entry. */
  function put(key: string, entry: Entry<V>): boolean {
    const { organizationId, size } = entry
    if (size > shareMaxBytes) return false
    const existing = shares.get(organizationId)
    if (existing) evictFromShare(existing, size)
    // why: an eviction that empties the share removes it
    const share = shares.get(organizationId) ?? { byteCount: 0, keys: new Set() }
    shares.set(organizationId, share)
    share.keys.add(key)
    share.byteCount += size
    entries.set(key, entry)
    return true
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entry.used = true
      return entry.value
    },
    peek: key => entries.peek(key)?.value,
    set(key, organizationId, value, byteCount) {
      entries.delete(key)
      return put(key, {
        value,
        organizationId,
        size: byteCount + ENTRY_OVERHEAD_BYTES,
        used: false,
      })
    },
    grow(key, byteCount) {
      const entry = entries.peek(key)
      if (entry === undefined || entry.size + byteCount > shareMaxBytes) return false
      entries.delete(key)
      return put(key, { ...entry, size: entry.size + byteCount })
    },
    delete: key => void entries.delete(key),
    byteCount: () => entries.calculatedSize,
    entryCount: () => entries.size,
  }
}
