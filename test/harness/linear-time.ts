/** Checks that the time of a function grows linearly. Compares times with each other, not with fixed limits. */
import { expect } from 'chai'

const FACTOR = 8
/** Quadratic work takes 64 times as long on eight times the input, linear work 8 times. */
const MAX_GROWTH = 24
/** Two processes compete with each other and with those of other tests. */
const NOISE_MS = 1000
const ROUNDS = 2

/**
 * For work that is partly done by another process; the test's timeout ends hanging work.
 * @param size of the larger input, in UTF-16 code units
 */
export async function expectLinearTime(
  name: string,
  size: number,
  input: (size: number) => string,
  work: (text: string) => Promise<unknown>,
): Promise<void> {
  const shortest = async (text: string) => {
    const times: number[] = []
    while (times.length < ROUNDS) {
      const startedAt = performance.now()
      await work(text)
      times.push(performance.now() - startedAt)
    }
    return Math.min(...times)
  }
  const small = await shortest(input(size / FACTOR))
  const large = await shortest(input(size))
  const what = `${name}: ms for ${size}, after ${small} ms for ${size / FACTOR}`
  expect(large, what).to.be.below(MAX_GROWTH * small + NOISE_MS)
}

/** Repeats a part until the text has at least that number of units. */
export function repeated(part: string, before = '', after = ''): (size: number) => string {
  return size => before + part.repeat(Math.ceil(size / part.length)) + after
}
