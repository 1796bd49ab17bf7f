/** Which generated organizations a run looks at: as many as there are questions, unless it is asked for others. */
const OF_EVERY_RUN = { first: 1, count: 240 }

/** Those of `make test`, which prove that every edge occurs. */
export const SEEDS = seedsFrom(OF_EVERY_RUN.first, OF_EVERY_RUN.count)

/** One that failed is looked at again with its seed: `make prove ONLY=sql GENERATED_SEED=94 GENERATED_ORGANIZATIONS=1`. */
export const ASKED_SEEDS = seedsFrom(
  asked('GENERATED_SEED', OF_EVERY_RUN.first),
  asked('GENERATED_ORGANIZATIONS', OF_EVERY_RUN.count),
)

function asked(variable: string, otherwise: number): number {
  const text = process.env[variable] ?? String(otherwise)
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`${variable} is ${text}, expected a number from 1`)
  return Number(text)
}

function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at)
}
