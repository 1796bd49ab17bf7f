// Figures of a scenario with their targets. Pure.

export interface Figure {
  /** Name in the table: `responses 500`. */
  readonly name: string
  readonly value: number
  readonly unit?: Unit | undefined
  /** Detail beneath the table. */
  readonly detail?: string | undefined
  readonly exactly?: number
  readonly atMost?: number
  readonly atLeast?: number
}

type Unit = 'ms' | 's' | 'MiB' | 'x' | '%'

export function said(name: string, value: number, unit?: Unit, detail?: string): Figure {
  return { name, value, unit, detail }
}

export function exactly(name: string, value: number, expected: number, detail?: string): Figure {
  return { name, value, detail, exactly: expected }
}

export function holds(name: string, is: boolean): Figure {
  return { name, value: Number(is), exactly: 1 }
}

export function atMost(
  name: string,
  value: number,
  limit: number,
  unit?: Unit,
  detail?: string,
): Figure {
  return { name, value, unit, detail, atMost: limit }
}

export function atLeast(name: string, value: number, limit: number, unit?: Unit): Figure {
  return { name, value, unit, atLeast: limit }
}

/** NaN without values. */
export function percent<T>(values: readonly T[], is: (value: T) => boolean): number {
  return (100 * values.filter(is).length) / values.length
}

export function all<T>(name: string, values: readonly T[], is: (value: T) => boolean): Figure {
  return { name, value: percent(values, is), unit: '%', exactly: 100 }
}

export function none<T>(name: string, values: readonly T[], is: (value: T) => boolean): Figure {
  return exactly(name, values.filter(is).length, 0)
}

/** NaN reaches no target. */
export function isReached({ value, exactly, atMost, atLeast }: Figure): boolean {
  return (
    (exactly === undefined || value === exactly) &&
    (atMost === undefined || value <= atMost) &&
    (atLeast === undefined || value >= atLeast)
  )
}
