import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { internalError, Problem } from '../../src/errors.ts'
import type { ProblemCode } from '../../src/errors.ts'
import type { Observation } from '../../src/observation.ts'
import { createFailing } from '../../src/reports/failing.ts'
import type { ReportRequest } from '../../src/reports/report-request.ts'

const definition = loadCatalog('sql').reports.get('profit_loss')!
const request = (id = '1', end = '2027-01-01'): ReportRequest => ({
  organization: { id, idType: 'uuid', timeZone: 'Europe/Moscow', entitled: true },
  definition,
  period: { start: '2026-01-01', end },
  today: '2026-11-21',
})

function world() {
  let elapsedMs = 0
  const facts: Observation[] = []
  const failing = createFailing({
    observe: fact => void facts.push(fact),
    elapsed: () => elapsedMs,
  })
  let loads = 0
  const ask = (
    reason: Error | undefined,
    asked = request(),
    shape = 'json',
    signal = new AbortController().signal,
  ): Promise<unknown> =>
    failing
      .unlessFailing(asked, shape, signal, async () => {
        loads += 1
        if (reason) throw reason
        return 'ok'
      })
      .catch((thrown: unknown) => thrown)
  return { failing, ask, facts, loads: () => loads, pass: (ms: number) => void (elapsedMs += ms) }
}

const problem = (code: ProblemCode) => new Problem(code, { ru: '', en: '' })

describe('a report that has just failed', () => {
  for (const error of [
    problem('report_timeout'),
    problem('result_too_large'),
    internalError('bug'),
  ]) {
    it(`by ${error.code} fails the same way for 5 s without a run`, async () => {
      const { ask, loads, pass, facts } = world()
      expect(await ask(error)).to.equal(error)
      pass(4999)
      expect(await ask(undefined)).to.equal(error)
      expect([loads(), facts]).to.deep.equal([
        1,
        [{ kind: 'run-spared', definition: 'profit_loss' }],
      ])
      pass(1)
      expect([await ask(undefined), loads()]).to.deep.equal(['ok', 2])
    })
  }

  it('of one request, because its deadline passed or its client disconnected, is executed for the next', async () => {
    const { ask, loads } = world()
    const error = problem('report_timeout')
    expect(await ask(error, request(), 'json', AbortSignal.abort(error))).to.equal(error)
    expect([await ask(undefined), loads()]).to.deep.equal(['ok', 2])
  })

  it('for its size in one format is made in another', async () => {
    const { ask, loads } = world()
    const error = problem('result_too_large')
    await ask(error, request(), 'xlsx')
    expect(await ask(undefined, request(), 'xlsx')).to.equal(error)
    expect(await ask(undefined, request(), 'csv')).to.equal('ok')
    expect(loads()).to.equal(2)
  })

  it('under a stream fails the same way for 30 s', async () => {
    const { failing, ask, loads, pass } = world()
    const error = problem('result_too_large')
    let breaks = (_error: unknown): void => undefined
    const load = async (failedLater: typeof breaks): Promise<string> => {
      breaks = failedLater
      return 'a stream'
    }
    expect(
      await failing.unlessFailing(request(), 'xlsx', new AbortController().signal, load),
    ).to.equal('a stream')
    breaks(error)
    pass(29_999)
    expect(await ask(undefined, request(), 'xlsx')).to.equal(error)
    pass(1)
    expect([await ask(undefined, request(), 'xlsx'), loads()]).to.deep.equal(['ok', 1])
  })

  it('for want of a replica or of room runs again at once', async () => {
    const { ask, loads } = world()
    for (const code of ['replica_unavailable', 'overloaded'] as const) await ask(problem(code))
    await ask(new Error('the client is gone'))
    expect([await ask(undefined), loads()]).to.deep.equal(['ok', 4])
  })

  it('does so for that organization and period alone', async () => {
    const { ask } = world()
    await ask(problem('report_timeout'))
    expect(await ask(undefined, request('2'))).to.equal('ok')
    expect(await ask(undefined, request('1', '2026-12-01'))).to.equal('ok')
  })

  it('is forgotten once a thousand others have failed after it', async () => {
    const { ask } = world()
    await ask(problem('report_timeout'))
    for (let id = 0; id < 999; id += 1) await ask(problem('report_timeout'), request(`o${id}`))
    expect(await ask(undefined)).to.include({ code: 'report_timeout' })
    await ask(problem('report_timeout'), request('one more'))
    expect(await ask(undefined)).to.equal('ok')
  })
})
