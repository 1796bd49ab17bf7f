// All measurements, in the order of the table.
import type { Measurement } from './bench.ts'
import { formats } from './formats.ts'
import { hits } from './hits/hits.ts'
import { exports } from './misses/exports.ts'
import { objects, registers } from './misses/registers.ts'
import { coldStart, demoStart, memory } from './start/start.ts'

const ALL: readonly Measurement[] = [
  { group: 'hits', name: 'hits', rows: hits },
  { group: 'misses', name: 'registers', rows: registers },
  { group: 'misses', name: 'objects', rows: objects, isLong: true },
  { group: 'misses', name: 'exports', rows: exports, isLong: true },
  { group: 'formats', name: 'formats', rows: formats, isLong: true },
  { group: 'start', name: 'start', rows: coldStart },
  { group: 'start', name: 'memory', rows: memory },
  { group: 'start', name: 'make run', rows: demoStart, isLong: true },
]

/** @param only a group's or a measurement's name; all if it is undefined or blank. @throws Error if none has that name. */
export function measurementsOf(quick: boolean, only: string | undefined): Measurement[] {
  const named = ALL.filter(({ group, name }) => !only || only === group || only === name)
  if (named.length > 0) return named.filter(({ isLong }) => !(quick && isLong))
  const groups = [...new Set(ALL.map(({ group }) => group))]
  throw new Error(`ONLY is ${only}, expected one of ${groups.join(', ')}`)
}
