/** Remembers keys, as long as few others are added. */

/** Of about 100 bytes each. */
const MAX_KEYS = 1000

export function createRecentKeys() {
  /** Oldest first. */
  const keys = new Set<string>()
  return {
    has: (key: string): boolean => keys.has(key),
    add(key: string): void {
      keys.delete(key)
      const [oldest] = keys
      if (keys.size >= MAX_KEYS) keys.delete(oldest!)
      keys.add(key)
    },
    delete: (key: string): void => void keys.delete(key),
  }
}
