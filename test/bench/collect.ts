// The rows of all measurements, whatever becomes of one of them.
import { Missing } from './bench.ts'
import type { Bench, Measurement, Row } from './bench.ts'

/** A measurement that fails becomes a row that says why. @throws what the signal was aborted with. */
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
