// All scenarios by groups, in the order of the table.
import { clocks } from './clocks.ts'
import { conflicts } from './conflicts.ts'
import { asked } from './definitions-of-lag.ts'
import { hanging } from './hanging.ts'
import { herd } from './herd.ts'
import { hostile } from './hostile.ts'
import { keys } from './keys.ts'
import { lag } from './lag.ts'
import { network } from './network.ts'
import { restarts } from './restarts.ts'
import type { Scenario } from '../harness/scenario.ts'
import { shutdown } from './shutdown.ts'
import { torn } from './torn.ts'

export const GROUPS: Readonly<Record<string, readonly Scenario[]>> = {
  conflicts,
  restarts,
  network: [...network, ...hanging, ...torn],
  lag: [...lag, ...asked, ...clocks],
  keys,
  herd,
  shutdown,
  hostile,
}

export interface Chosen {
  readonly group: string
  readonly scenario: Scenario
}

/** @param only a group, a scenario's name or its fault; all where it is undefined or blank. @throws Error if none fits. */
export function scenariosNamed(only: string | undefined): Chosen[] {
  const all = Object.entries(GROUPS).flatMap(([group, scenarios]) =>
    scenarios.map(scenario => ({ group, scenario })),
  )
  if (only === undefined || only === '') return all
  const fits = all.filter(({ group, scenario }) =>
    [group, scenario.name, scenario.fault].some(word => word.toLowerCase() === only.toLowerCase()),
  )
  if (fits.length > 0) return fits
  const names = all.map(({ scenario }) => `${scenario.fault} ${scenario.name}`)
  throw new Error(
    `ONLY is ${only}, expected one of ${[...Object.keys(GROUPS), ...names].join(', ')}`,
  )
}
