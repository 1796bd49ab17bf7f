// Interleaved rounds: every contender once a round, forward and backward in turn, so that what the machine does
// meanwhile meets all of them alike.

export interface Contender<Measured> {
  readonly name: string
  measure(): Promise<Measured>
}

export interface RoundsOptions {
  readonly rounds: number
  readonly progress?: (words: string) => void
  readonly signal?: AbortSignal
  /** Each contender is measured once before the first round, and that is thrown away; true unless said. */
  readonly warmUp?: boolean
}

/** @returns by contender's name what was measured, round by round. */
export async function interleaved<Measured>(
  contenders: readonly Contender<Measured>[],
  { rounds, progress, signal, warmUp = true }: RoundsOptions,
): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const measured = new Map<string, Measured[]>(contenders.map(({ name }) => [name, []]))
  const backward = contenders.toReversed()
  if (warmUp) {
    progress?.(`warming up: ${contenders.map(({ name }) => name).join(', ')}`)
    for (const contender of contenders) {
      signal?.throwIfAborted()
      await contender.measure()
    }
  }
  for (let round = 0; round < rounds; round++) {
    progress?.(`round ${round + 1} of ${rounds}`)
    for (const contender of round % 2 === 0 ? contenders : backward) {
      signal?.throwIfAborted()
      measured.get(contender.name)?.push(await contender.measure())
    }
  }
  return measured
}

/** @throws Error if there is no such contender. */
export function roundsOf<Measured>(
  measured: ReadonlyMap<string, readonly Measured[]>,
  name: string,
): readonly Measured[] {
  const found = measured.get(name)
  if (found === undefined) throw new Error(`no contender is named ${name}`)
  return found
}
