import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { internalError, Problem } from '../../src/model/errors.ts'
import type { ProblemCode } from '../../src/model/errors.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createNegativeCache } from '../../src/serve/body/negative-cache.ts'

const { reports } = await loadCatalog('sql', parseSql)
const definition = reports.get('profit_loss')!
const problem = (code: ProblemCode) => new Problem(code, { ru: '', en: '' })

function setUp() {
  let elapsedMs = 0
  const facts: Observation[] = []
  const cache = createNegativeCache({ observe: fact => facts.push(fact), elapsed: () => elapsedMs })
  /** Requests a report, whose execution fails with `reason`. @returns the outcome */
  async function requestReport(
    reason: Error | undefined,
    { id = '1', end = '2027-01-01', format = 'json', breaksLater = false } = {},
  ): Promise<unknown> {
    const request = {
      organization: { id, idType: 'uuid', timeZone: 'Europe/Moscow', entitled: true },
      definition,
      period: { start: '2026-01-01', end },
      today: '2026-11-21',
    }
    try {
      cache.check(request, format)
    } catch (error) {
      return error
    }
    if (reason === undefined) return 'executed'
    if (breaksLater) cache.rememberBreak(request, format, reason)
    else cache.remember(request, format, reason)
    return breaksLater ? 'executed' : reason
  }
  return { requestReport, facts, pass: (ms: number) => void (elapsedMs += ms) }
}

type RequestOptions = NonNullable<Parameters<ReturnType<typeof setUp>['requestReport']>[1]>

/** For how long the next request fails in the same way without an execution. */
const CASES: ReadonlyArray<
  readonly [title: string, error: Error, first: RequestOptions, next: RequestOptions, forMs: number]
> = [
  ['a timeout', problem('report_timeout'), {}, {}, 5000],
  ['its size', problem('result_too_large'), {}, {}, 5000],
  ['an internal error', internalError('bug'), {}, {}, 5000],
  ['an internal error, in another format', internalError('bug'), {}, { format: 'csv' }, 5000],
  ['its size, in another format', problem('result_too_large'), {}, { format: 'csv' }, 0],
  [
    'its size, in the middle of a stream',
    problem('result_too_large'),
    { breaksLater: true },
    {},
    30_000,
  ],
  ['an unavailable replica', problem('replica_unavailable'), {}, {}, 0],
  ['a full queue', problem('overloaded'), {}, {}, 0],
  ['another error', new Error('the client disconnected'), {}, {}, 0],
  ['a timeout, for another organization', problem('report_timeout'), {}, { id: '2' }, 0],
  ['a timeout, for another period', problem('report_timeout'), {}, { end: '2026-12-01' }, 0],
]

describe('a report that has failed', () => {
  for (const [title, error, first, next, forMs] of CASES) {
    it(`because of ${title} fails in the same way for ${forMs / 1000} s`, async () => {
      const { requestReport, facts, pass } = setUp()
      expect(await requestReport(error, first)).to.equal(first.breaksLater ? 'executed' : error)
      if (forMs > 0) {
        pass(forMs - 1)
        expect(await requestReport(undefined, next)).to.equal(error)
        expect(facts).to.deep.equal([{ kind: 'execution-spared', definition: 'profit_loss' }])
        pass(1)
      }
      expect(await requestReport(undefined, next)).to.equal('executed')
    })
  }

  it('is removed after a thousand later failures', async () => {
    const { requestReport } = setUp()
    const error = problem('report_timeout')
    await requestReport(error)
    for (let id = 0; id < 999; id += 1) await requestReport(error, { id: `o${id}` })
    expect(await requestReport(undefined)).to.equal(error)
    await requestReport(error, { id: 'one more' })
    expect(await requestReport(undefined)).to.equal('executed')
  })
})
