// A scenario and its outcome. Does not know how faults are made.
import { isReached, type Figure } from './figures.ts'
import type { Stage } from './stage.ts'

export interface Scenario {
  /** Its row of the matrix, then its name for `ONLY`: `F12 promotion`. */
  readonly name: string
  readonly hypothesis: string
  /** Also in `make test`. */
  readonly quick?: true
  /** Default 180 s. */
  readonly longestMs?: number
  run(stage: Stage): Promise<readonly Figure[]>
}

export type Groups = Readonly<Record<string, readonly Scenario[]>>

/** @param only a group, a scenario's name or its row; all if undefined or blank. @throws Error without a match. */
export function scenariosNamed(groups: Groups, only = ''): Scenario[] {
  const all = Object.values(groups).flat()
  if (only === '') return all
  const fits = (words: readonly string[]): boolean =>
    words.some(word => word.toLowerCase() === only.toLowerCase())
  const found = Object.entries(groups).flatMap(([group, scenarios]) =>
    scenarios.filter(({ name }) => fits([group, name, ...name.split(' ')])),
  )
  if (found.length > 0) return found
  const names = [...Object.keys(groups), ...all.map(({ name }) => name)]
  throw new Error(`ONLY is ${only}, expected one of ${names.join(', ')}`)
}

/** The outcome of a scenario. */
export interface Outcome {
  readonly scenario: Scenario
  readonly figures: readonly Figure[]
  /** Violated invariants. */
  readonly violations: readonly string[]
  /** Responses of each gateway: `200: 950, 503 overloaded: 50`. */
  readonly responses: readonly string[]
  /** Why the scenario could not be completed. */
  readonly broke?: string | undefined
  /** The missing requirement of the machine. */
  readonly missing?: string | undefined
  readonly seconds: number
}

/** The machine lacks what the scenario requires. */
export class Missing extends Error {}

export type Verdict = 'reached' | 'FALLS SHORT' | 'not to be had'

export function verdictOf({ figures, violations, broke, missing }: Outcome): Verdict {
  if (missing !== undefined) return 'not to be had'
  const held = broke === undefined && violations.length === 0 && figures.length > 0
  return held && figures.every(isReached) ? 'reached' : 'FALLS SHORT'
}
