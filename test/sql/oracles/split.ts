/** Facts by what they belong to: naive grouping that stays fast over every product and customer. */
export function split<Fact, Key>(
  facts: readonly Fact[],
  keyOf: (fact: Fact) => Key,
): ReadonlyMap<Key, readonly Fact[]> {
  const parts = new Map<Key, Fact[]>()
  for (const fact of facts) {
    const key = keyOf(fact)
    const part = parts.get(key)
    if (part === undefined) parts.set(key, [fact])
    else part.push(fact)
  }
  return parts
}
