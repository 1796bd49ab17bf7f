/** @param make is called once for each key: of languages or currencies, of which there are few */
export function memoized<K, T>(make: (key: K) => T): typeof make {
  const made = new Map<K, T>()
  return key => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
