// What a scenario is, and what became of it. Knows nothing of how faults are made.
import { isReached } from './figures.ts'
import type { Figure } from './figures.ts'
import type { Stage } from './stage.ts'

export interface Scenario {
  /** Its row of the matrix and what `ONLY` selects it by: `F12 promotion`. */
  readonly name: string
  readonly hypothesis: string
  /** Also in `make test`. */
  readonly quick?: true
  /** 180 s unless said. */
  readonly longestMs?: number
  run(stage: Stage): Promise<readonly Figure[]>
}

export type Groups = Readonly<Record<string, readonly Scenario[]>>

/** @param only a group, a scenario's name or its row; all where it is undefined or blank. @throws Error if none fits. */
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

/** What became of one. */
export interface Outcome {
  readonly scenario: Scenario
  readonly figures: readonly Figure[]
  /** Invariants that do not hold. */
  readonly violations: readonly string[]
  /** What each gateway of it sent: `200: 950, 503 overloaded: 50`. */
  readonly responses: readonly string[]
  /** Why the scenario could not be carried through. */
  readonly broke?: string | undefined
  /** What the machine lacks for it. */
  readonly missing?: string | undefined
  /** By others, of the processors before it began, in %. */
  readonly pressure?: number | undefined
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
