// Interleaved rounds: each round measures every contender once, forward and backward in turn, so that other load on the
// machine affects all of them equally.
import type { Bench } from './bench.ts'

/** @returns the measurements by round. */
export async function interleaved<Name extends string, Measured>(
  { effort, progress, signal }: Pick<Bench, 'effort' | 'progress' | 'signal'>,
  what: string,
  contenders: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Readonly<Record<Name, readonly Measured[]>>> {
  const names = Object.keys(contenders) as Name[]
  const measured = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<
    Name,
    Measured[]
  >
  for (let round = 1; round <= effort.rounds; round++) {
    progress(`${what}: round ${round} of ${effort.rounds}`)
    const order = round % 2 === 0 ? names.toReversed() : names
    for (const name of order) {
      signal.throwIfAborted()
      measured[name].push(await contenders[name]())
    }
  }
  return measured
}
