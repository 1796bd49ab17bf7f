// The group `misses`: what is not cached, from a report of 100 rows to a storm.
import type { Bench } from '../bench.ts'
import { Missing } from '../bench.ts'
import type { Group, Row } from '../row.ts'
import { hitsBesideExports } from './beside-exports.ts'
import { memoryRow } from './memory.ts'
import { registerRows } from './registers.ts'
import { stallRow } from './stall.ts'
import { stormRow } from './storm.ts'

export const misses: Group = {
  name: 'misses',
  async rows(bench) {
    const rows = await tried(bench, 'registers', () => registerRows(bench))
    if (bench.quick) return rows
    for (const [name, make] of LONGER) {
      rows.push(...(await tried(bench, name, async () => [await make(bench)])))
    }
    return rows
  },
}

const LONGER: readonly (readonly [name: string, make: (bench: Bench) => Promise<Row>])[] = [
  ['peak memory', memoryRow],
  ['hits beside exports', hitsBesideExports],
  ['stall of the event loop', stallRow],
  ['storm', stormRow],
]

/** One that breaks off leaves the others their chance. */
async function tried(bench: Bench, name: string, make: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await make()
  } catch (error) {
    bench.signal.throwIfAborted()
    const said = error instanceof Error ? error.message : String(error)
    const why = error instanceof Missing ? { note: said } : { broke: said }
    return [{ name, value: undefined, unit: 'x', figures: {}, ...why }]
  }
}
