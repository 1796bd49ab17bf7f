import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { internalError, Problem } from '../../src/model/errors.ts'
import type { ProblemCode } from '../../src/model/errors.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createNegativeCache } from '../../src/serve/body/negative-cache.ts'

const definition = loadCatalog('sql').reports.get('profit_loss')!
const problem = (code: ProblemCode) => new Problem(code, { ru: '', en: '' })

function world() {
  let elapsedMs = 0
  const facts: Observation[] = []
  const cache = createNegativeCache({ observe: fact => facts.push(fact), elapsed: () => elapsedMs })
  /** Asks for a report, which fails by that reason if it is executed. @returns how it ends */
  async function ask(
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
  return { ask, facts, pass: (ms: number) => void (elapsedMs += ms) }
}

type Asked = NonNullable<Parameters<ReturnType<typeof world>['ask']>[1]>

/** Once one has failed, how long another fails in the same way without an execution. */
const CASES: ReadonlyArray<
  readonly [title: string, error: Error, first: Asked, next: Asked, forMs: number]
> = [
  ['a timeout', problem('report_timeout'), {}, {}, 5000],
  ['its size', problem('result_too_large'), {}, {}, 5000],
  ['a defect', internalError('bug'), {}, {}, 5000],
  ['a defect, in another format', internalError('bug'), {}, { format: 'csv' }, 5000],
  ['its size, in another format', problem('result_too_large'), {}, { format: 'csv' }, 0],
  ['its size, in its middle', problem('result_too_large'), { breaksLater: true }, {}, 30_000],
  ['want of a replica', problem('replica_unavailable'), {}, {}, 0],
  ['want of a connection', problem('overloaded'), {}, {}, 0],
  ['another error', new Error('the client is gone'), {}, {}, 0],
  ['a timeout, for another organization', problem('report_timeout'), {}, { id: '2' }, 0],
  ['a timeout, for another period', problem('report_timeout'), {}, { end: '2026-12-01' }, 0],
]

describe('a report that has failed', () => {
  for (const [title, error, first, next, forMs] of CASES) {
    it(`by ${title} fails in the same way for ${forMs / 1000} s`, async () => {
      const { ask, facts, pass } = world()
      expect(await ask(error, first)).to.equal(first.breaksLater ? 'executed' : error)
      if (forMs > 0) {
        pass(forMs - 1)
        expect(await ask(undefined, next)).to.equal(error)
        expect(facts).to.deep.equal([{ kind: 'run-spared', definition: 'profit_loss' }])
        pass(1)
      }
      expect(await ask(undefined, next)).to.equal('executed')
    })
  }

  it('is forgotten once a thousand others have failed after it', async () => {
    const { ask } = world()
    const error = problem('report_timeout')
    await ask(error)
    for (let id = 0; id < 999; id += 1) await ask(error, { id: `o${id}` })
    expect(await ask(undefined)).to.equal(error)
    await ask(error, { id: 'one more' })
    expect(await ask(undefined)).to.equal('executed')
  })
})
