// What a scenario is and what it says: figures, each with what has to be reached. Knows nothing of how faults are made.
import type { World } from './world.ts'

export interface Figure {
  /** As the table says it: `answers of 500`. */
  readonly name: string
  readonly value: number
  /** Beneath the table: which one it was, or what it is made of. */
  readonly detail?: string | undefined
  readonly unit?: 'ms' | 's' | 'MiB' | 'x' | '%'
  readonly exactly?: number
  readonly atMost?: number
  readonly atLeast?: number
}

export interface Scenario {
  /** Of the matrix of faults, or of attacks: `F12`, `A3`. */
  readonly fault: string
  /** `make faults ONLY=promotion` */
  readonly name: string
  readonly hypothesis: string
  /** Also in `make test`. */
  readonly quick?: true
  /** 180 s unless said. */
  readonly longestMs?: number
  run(world: World): Promise<readonly Figure[]>
}

/** What became of one. */
export interface Outcome {
  readonly group: string
  readonly scenario: Scenario
  readonly figures: readonly Figure[]
  /** Invariants that do not hold. */
  readonly violations: readonly string[]
  /** What each gateway of it answered: `200: 950, 503 overloaded: 50`. */
  readonly answers: readonly string[]
  /** Why the scenario could not be carried through. */
  readonly broke?: string
  /** What the machine lacks for it. */
  readonly missing?: string
  /** By others, of the processors before it began, in %. */
  readonly pressure?: number
  readonly seconds: number
}

/** The machine lacks something that a scenario needs. */
export class Missing extends Error {}

export type Verdict = 'reached' | 'FALLS SHORT' | 'not to be had'

export function verdictOf({ figures, violations, broke, missing }: Outcome): Verdict {
  if (missing !== undefined) return 'not to be had'
  const held = broke === undefined && violations.length === 0 && figures.length > 0
  return held && figures.every(isReached) ? 'reached' : 'FALLS SHORT'
}

/** NaN reaches nothing. */
export function isReached({ value, exactly, atMost, atLeast }: Figure): boolean {
  return (
    (exactly === undefined || value === exactly) &&
    (atMost === undefined || value <= atMost) &&
    (atLeast === undefined || value >= atLeast)
  )
}
