// Scenarios of a bench by groups, and which of them ONLY selects. Pure.
import type { Scenario } from './scenario.ts'

export type Groups = Readonly<Record<string, readonly Scenario[]>>

export interface Chosen {
  readonly group: string
  readonly scenario: Scenario
}

/** @param only a group, a scenario's name or its fault; all where it is undefined or blank. @throws Error if none fits. */
export function scenariosNamed(groups: Groups, only: string | undefined): Chosen[] {
  const all = Object.entries(groups).flatMap(([group, scenarios]) =>
    scenarios.map(scenario => ({ group, scenario })),
  )
  if (only === undefined || only === '') return all
  const fits = all.filter(({ group, scenario }) =>
    [group, scenario.name, scenario.fault].some(word => word.toLowerCase() === only.toLowerCase()),
  )
  if (fits.length > 0) return fits
  const names = all.map(({ scenario }) => `${scenario.fault} ${scenario.name}`)
  throw new Error(
    `ONLY is ${only}, expected one of ${[...Object.keys(groups), ...names].join(', ')}`,
  )
}
