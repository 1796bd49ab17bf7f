/** The sort orders of reports: by a measure, then by name in byte order, then by id. */

type Comparison<T> = (a: T, b: T) => number

export function ascending<T>(measure: (row: T) => bigint | string): Comparison<T> {
  return (a, b) => {
    const [x, y] = [measure(a), measure(b)]
    return x < y ? -1 : x > y ? 1 : 0
  }
}

export function descending<T>(measure: (row: T) => bigint | string): Comparison<T> {
  return (a, b) => ascending(measure)(b, a)
}

/** As `collate "C"`: by UTF-8 bytes. */
export function byName<T>(name: (row: T) => string): Comparison<T> {
  return (a, b) => Buffer.compare(Buffer.from(name(a)), Buffer.from(name(b)))
}

/** Ids are numbers or UUIDs; null is last. */
export function byIdentity<T>(id: (row: T) => string | null): Comparison<T> {
  return (a, b) => {
    const [x, y] = [id(a), id(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    if (/^\d+$/.test(x) && /^\d+$/.test(y)) return Number(BigInt(x) - BigInt(y))
    return x < y ? -1 : x > y ? 1 : 0
  }
}

/** The order of most reports: by a measure descending, then by name, then by id. */
export function ranked<T>(
  measure: (row: T) => bigint,
  name: (row: T) => string,
  id: (row: T) => string | null,
): Comparison<T> {
  return inOrder(descending(measure), byName(name), byIdentity(id))
}

export function inOrder<T>(...comparisons: readonly Comparison<T>[]): Comparison<T> {
  return (a, b) => {
    for (const compare of comparisons) {
      const result = compare(a, b)
      if (result !== 0) return result
    }
    return 0
  }
}
