/** Reproducible choices by seed. */
export interface Choices {
  /** From 0 to `limit` - 1. */
  readonly whole: (limit: number) => number
  readonly chance: (of: number) => boolean
  readonly pick: <T>(list: readonly T[]) => T
  readonly maybe: <T>(value: () => T, of?: number) => T | null
  /** Ids from 0, fewer than `size`; none or one with increased probability. */
  readonly some: (size: number) => number[]
}

/** Numbers in [0, 1): mulberry32. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function choices(seed: number): Choices {
  const next = numbers(seed)
  const whole = (limit: number) => Math.floor(next() * limit)
  const chance = (of: number) => next() < of
  return {
    whole,
    chance,
    pick: list => {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[whole(list.length)]!
    },
    maybe: (value, of = 0.7) => (chance(of) ? value() : null),
    some: size => {
      const length = chance(0.2) ? whole(2) : whole(size)
      return Array.from({ length }, (_, id) => id)
    },
  }
}
