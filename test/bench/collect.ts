// The rows of all groups, whatever becomes of one of them.
import { Missing } from './bench.ts'
import type { Bench } from './bench.ts'
import type { Group, Row } from './row.ts'

export type GroupRow = Row & { readonly group: string }

/** A group that fails becomes a row that says why. @throws what the signal was aborted with. */
export async function collect(groups: readonly Group[], bench: Bench): Promise<GroupRow[]> {
  const rows: GroupRow[] = []
  for (const group of groups) {
    bench.signal.throwIfAborted()
    const startedAt = performance.now()
    const of = await group.rows(bench).catch((error: unknown) => {
      bench.signal.throwIfAborted()
      return [failedRow(group.name, error)]
    })
    rows.push(...of.map(row => ({ group: group.name, ...row })))
    bench.progress(`${group.name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
  return rows
}

function failedRow(group: string, error: unknown): Row {
  const reason = error instanceof Error ? error.message : String(error)
  const row = { name: `${group}, all rows`, value: undefined, unit: 'x', figures: {} } as const
  return error instanceof Missing ? { ...row, note: reason } : { ...row, broke: reason }
}
