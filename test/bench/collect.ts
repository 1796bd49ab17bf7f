// Collects the rows of all measurements, even if some fail.
import { Missing } from './bench.ts'
import type { Bench, Measurement, Row } from './bench.ts'

/** A failed measurement becomes a row with the reason. @throws the signal's reason. */
export async function collect(
  measurements: readonly Measurement[],
  bench: Bench,
): Promise<(Row & { readonly group: string })[]> {
  const collected = []
  for (const { group, name, rows } of measurements) {
    bench.signal.throwIfAborted()
    bench.progress(name)
    const made = await rows(bench).catch((error: unknown) => {
      bench.signal.throwIfAborted()
      return [failedRow(name, error)]
    })
    collected.push(...made.map(row => ({ group, ...row })))
  }
  return collected
}

function failedRow(name: string, error: unknown): Row {
  const reason = error instanceof Error ? error.message : String(error)
  const why = error instanceof Missing ? { note: reason } : { broke: reason }
  return { name: `${name}, all rows`, value: undefined, unit: 'x', figures: {}, ...why }
}
