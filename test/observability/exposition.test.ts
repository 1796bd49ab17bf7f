import { expect } from 'chai'
import * as fc from 'fast-check'
import type { ProblemCode } from '../../src/errors.ts'
import { PROBLEMS, REFUSAL_REASONS } from '../../src/errors.ts'
import { KEY_OUTCOMES, POOLS, ROUTES, RUN_OUTCOMES } from '../../src/observation.ts'
import { CACHE_OUTCOMES } from '../../src/terms.ts'
import { createByPromClient } from './by-prom-client.ts'
import { request, run } from './facts.ts'
import { create } from './scrape.ts'

const NAMES = ['profit_loss', 'cash_flow', 'metrics/finance', 'comes_later', 'made_up', 'q"\\\nz']

/** On the bounds of buckets, between them, above them all. */
const durationMs = fc.oneof(
  fc.constantFrom(0, 5, 25, 1000, 50_000, 50_001),
  fc.double({ min: 0, max: 100_000, noNaN: true }),
)
const badNumber = fc.constantFrom(Number.NaN, -1, Number.POSITIVE_INFINITY)
/** Rarely a number that no counter takes. */
const often = (sound: fc.Arbitrary<number>): fc.Arbitrary<number> =>
  fc.oneof({ arbitrary: sound, weight: 20 }, { arbitrary: badNumber, weight: 1 })
const sometimes = <Value>(values: readonly Value[]): fc.Arbitrary<Value | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined })

const requests = fc
  .record({
    route: fc.constantFrom(...ROUTES),
    report: sometimes(NAMES),
    status: often(fc.constantFrom(200, 304, 206, 404, 499, 503)),
    problem: sometimes(Object.keys(PROBLEMS) as ProblemCode[]),
    refusal: sometimes(REFUSAL_REASONS),
    cache: sometimes(CACHE_OUTCOMES),
    durationMs: often(durationMs),
    sentBytes: often(fc.nat()),
    shortcut: fc.boolean(),
    aborted: fc.boolean(),
  })
  .map(request)
const runs = fc
  .record({
    definition: fc.constantFrom(...NAMES),
    outcome: fc.constantFrom(...RUN_OUTCOMES),
    durationMs: often(durationMs),
    queueMs: often(durationMs),
    rowCount: often(fc.nat()),
  })
  .map(run)
const keyChecks = fc.record({
  kind: fc.constant('key-checked' as const),
  outcome: fc.constantFrom(...KEY_OUTCOMES),
})
const keyLookups = fc.record({
  kind: fc.constant('key-lookup' as const),
  keyCount: often(fc.integer({ min: 1, max: 1500 })),
  durationMs: often(durationMs),
  error: fc.constantFrom(undefined, new Error('away')),
})
const acquired = fc.record({
  kind: fc.constant('connection-acquired' as const),
  pool: fc.constantFrom(...POOLS),
  durationMs: often(durationMs),
})
const facts = fc.array(fc.oneof(requests, runs, keyChecks, keyLookups, acquired), {
  size: 'medium',
})

describe('the exposition', () => {
  it("is byte for byte what prom-client's own counters and histograms would give", async () => {
    const names = { reports: ['profit_loss', 'cash_flow'], definitions: ['metrics/finance'] }
    const later = { reports: ['cash_flow', 'comes_later', 'q"\\\nz'], definitions: ['profit_loss'] }
    await fc.assert(
      fc.asyncProperty(facts, facts, async (before, after) => {
        const ours = create({ catalogNames: names })
        const reference = createByPromClient()
        reference.addNames(names)
        for (const each of [ours, reference]) {
          before.forEach(fact => each.observe(fact))
          each.addNames(later)
          after.forEach(fact => each.observe(fact))
        }
        const { text } = await ours.exposition()
        expect(differences(countersAndHistograms(text), await reference.text())).to.deep.equal([])
      }),
      { numRuns: 25 },
    )
  })
})

/** Those of ours; gauges and what Node says of itself have another source. */
function countersAndHistograms(exposition: string): string {
  const families = exposition.trimEnd().split(/\n\n(?=# HELP )/)
  const kept = families.filter(family => /^# TYPE svodka_\w+ (counter|histogram)$/m.test(family))
  return `${kept.join('\n\n')}\n`
}

/** The lines that are not the same, for the texts themselves are too long to read. */
function differences(text: string, expected: string): unknown[] {
  const [lines, expectedLines] = [text.split('\n'), expected.split('\n')]
  const longer = lines.length > expectedLines.length ? lines : expectedLines
  return longer
    .map((_, index) => ({ line: lines[index], expected: expectedLines[index] }))
    .filter(({ line, expected }) => line !== expected)
}
