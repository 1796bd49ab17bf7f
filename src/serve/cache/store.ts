/**
 * What is kept, bounded in bytes, the least recently used going first. No organization holds
 * more than its share: what it adds beyond pushes out its own. Knows nothing of time, SQL or Koa.
 */
import { LRUCache } from 'lru-cache'
import type { Bytes } from '../../model/terms.ts'

export interface Store<V> {
  get(key: string): V | undefined
  /** As `get`, and it counts as no use. */
  peek(key: string): V | undefined
  /** False if the value is larger than an organization's share, and so not kept. */
  set(key: string, organizationId: string, value: V, byteCount: Bytes): boolean
  /** False if the value may not have this size: nothing has changed then. */
  resize(key: string, byteCount: Bytes): boolean
  delete(key: string): void
  byteCount(): Bytes
  entryCount(): number
}

/** What an entry costs beside its bytes: key, headers, list nodes (measured: 0.6 to 0.9 KB). */
const ENTRY_OVERHEAD_BYTES = 1024

interface Entry<V> {
  readonly value: V
  readonly organizationId: string
  readonly size: Bytes
  /** Since its key was last put at the end of its share. */
  used: boolean
}

interface Share {
  byteCount: Bytes
  /**
   * Longest kept first; one that was used since then has a second chance. To move a key at each use
   * would cost as much as finding its value.
   */
  readonly keys: Set<string>
}

export function createStore<V>(options: {
  readonly maxBytes: Bytes
  /** The part of `maxBytes` that one organization may hold, from 0 to 1. */
  readonly organizationShare: number
  readonly onEvict: (reason: 'space' | 'share') => void
}): Store<V> {
  const { maxBytes, onEvict } = options
  const shareMaxBytes = Math.floor(maxBytes * options.organizationShare)
  const shares = new Map<string, Share>()
  const entries = new LRUCache<string, Entry<V>>({
    maxSize: maxBytes,
    sizeCalculation: entry => entry.size,
    dispose: (entry, key, reason) => {
      leaveShare(entry, key)
      if (reason === 'evict') onEvict('space')
    },
  })

  function leaveShare(entry: Entry<V>, key: string): void {
    const share = shares.get(entry.organizationId)
    if (!share?.keys.delete(key)) return
    share.byteCount -= entry.size
    if (share.keys.size === 0) shares.delete(entry.organizationId)
  }

  function makeRoom(share: Share, size: Bytes): void {
    // why: a key that is put at the end comes up again, and has had its chance then
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

  /** The key must be free. */
  function put(key: string, entry: Entry<V>): boolean {
    const { organizationId, size } = entry
    if (size > shareMaxBytes) return false
    const existing = shares.get(organizationId)
    if (existing) makeRoom(existing, size)
    // why: making room may have emptied the share, which removes it
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
    resize(key, byteCount) {
      const entry = entries.peek(key)
      const size = byteCount + ENTRY_OVERHEAD_BYTES
      if (entry === undefined || size > shareMaxBytes) return false
      entries.delete(key)
      return put(key, { ...entry, size })
    },
    delete: key => void entries.delete(key),
    byteCount: () => entries.calculatedSize,
    entryCount: () => entries.size,
  }
}
