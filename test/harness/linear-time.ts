/** Whether the time of a function grows no faster than its input. Compares times with each other, never with a clock. */
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'

const FACTOR = 8
/** Quadratic work takes 64 times as long on eight times the input, linear work 8 times. */
const MAX_GROWTH = 24
// why: short times are mostly the noise of the machine
const NOISE_MS = 20
const ROUNDS = 2
/** Exponential work has no end to wait for. */
const HANGS_MS = 30_000

/** @param size of the larger input, in UTF-16 code units */
export function expectLinearTime(
  name: string,
  size: number,
  input: (size: number) => string,
  work: (text: string) => unknown,
): void {
  const small = shortestMs(input(size / FACTOR), work)
  const large = shortestMs(input(size), work)
  const limit = MAX_GROWTH * small + NOISE_MS
  expect(large, `${name}: ms for ${size}, after ${small} ms for ${size / FACTOR}`).to.be.below(
    limit,
  )
}

/** The least of some rounds, in milliseconds. @throws Error if a round hangs */
export function shortestMs(text: string, work: (text: string) => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now()
    runInNewContext('work()', { work: () => void work(text) }, { timeout: HANGS_MS })
    return performance.now() - startedAt
  })
  return Math.min(...times)
}

/** A text of so many units at least, of one part again and again. */
export function repeated(part: string, before = '', after = ''): (size: number) => string {
  return size => before + part.repeat(Math.ceil(size / part.length)) + after
}
