// Interleaved rounds: each round measures every contender once, forward and backward in turn, so that other load on the
// machine affects all of them equally.
import type { Bench } from './bench.ts'

/** @returns the measurements by round, after a warm-up. */
export async function interleaved<Name extends string, Measured>(
  { progress, signal }: Pick<Bench, 'progress' | 'signal'>,
  what: string,
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Readonly<Record<Name, readonly Measured[]>>> {
  const names = Object.keys(contenders) as Name[]
  const measured = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<
    Name,
    Measured[]
  >
  for (let round = 0; round <= rounds; round++) {
    progress(`${what}: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`)
    for (const name of round % 2 === 0 && round > 0 ? names.toReversed() : names) {
      signal.throwIfAborted()
      const result = await contenders[name]()
      if (round > 0) measured[name].push(result)
    }
  }
  return measured
}
