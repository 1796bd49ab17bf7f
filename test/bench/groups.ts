// All groups of measurements, in the order of the table.
import { Missing, type Bench, type Row } from './bench.ts'
import { coldFew, coldLarge, coldSmall } from './cold.ts'
import { downloads } from './downloads.ts'
import { hits } from './hits.ts'
import { start } from './start.ts'
import { whole } from './whole.ts'

export interface Group {
  /** `make bench ONLY=hits`; `ONLY=cold` selects all that begin with it. */
  readonly name: string
  readonly rows: (bench: Bench) => Promise<readonly Row[]>
}

export const GROUPS: readonly Group[] = [
  { name: 'hits', rows: hits },
  { name: 'cold-few', rows: coldFew },
  { name: 'cold-small', rows: coldSmall },
  { name: 'cold-large', rows: coldLarge },
  { name: 'whole', rows: whole },
  { name: 'downloads', rows: downloads },
  { name: 'start', rows: start },
]

/** @throws Error if no group's name begins so. */
export function groupsNamed(only: string): Group[] {
  const named = GROUPS.filter(({ name }) => name.startsWith(only))
  if (named.length > 0) return named
  throw new Error(`ONLY is ${only}, expected one of ${GROUPS.map(({ name }) => name).join(', ')}`)
}

/** A failed measurement becomes a row with the reason. @throws the signal's reason. */
export async function rowsOf(
  { name, rows }: Group,
  bench: Bench,
): Promise<(Row & { readonly group: string })[]> {
  bench.signal.throwIfAborted()
  const found = await rows(bench).catch((error: unknown) => {
    bench.signal.throwIfAborted()
    return [failedRow(name, error)]
  })
  return found.map(row => ({ group: name, ...row }))
}

function failedRow(name: string, error: unknown): Row {
  const reason = error instanceof Error ? error.message : String(error)
  const why = error instanceof Missing ? { note: reason } : { broke: reason }
  return { name: `${name}, all rows`, value: undefined, unit: 'x', figures: {}, ...why }
}
