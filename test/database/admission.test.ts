import { expect } from 'chai'
import { quantile } from '../harness/quantile.ts'
import { createStop } from '../../src/model/stop.ts'
import { createAdmission } from '../../src/serve/database/admission.ts'
import type { Slot } from '../../src/serve/database/admission-request.ts'
import { createSimulation, type Outcome, type Simulation } from './admission-simulation.ts'

/** Executions of an organization with a backlog, and of a small one. */
const long = (world: Simulation) => () => world.between(20, 200)
const short = (world: Simulation) => () => world.between(5, 25)
const waitsOf = (outcomes: readonly Outcome[]) => outcomes.map(({ waitedMs }) => waitedMs)
const refusalsOf = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ problem }) => problem?.refusal).filter(one => one !== undefined)

/** Clients of one organization, each with one request after another until then. They obey `Retry-After`. */
function start(
  world: Simulation,
  organization: string,
  clients: number,
  takesMs: () => number,
  untilMs: number,
  pauseMs: () => number = () => 0,
): Outcome[] {
  const outcomes: Outcome[] = []
  const send = async (): Promise<void> => {
    while (world.nowMs() < untilMs) {
      const outcome = await world.ask({ organization, takesMs: takesMs() })
      outcomes.push(outcome)
      const { problem } = outcome
      await world.pause(problem ? problem.retryAfterSeconds! * 1000 : pauseMs())
    }
  }
  for (let at = 0; at < clients; at += 1) void send()
  return outcomes
}

describe('admission', () => {
  it('lets an organization without competitors use all slots', async () => {
    const world = createSimulation({ slots: { a: 8 } })
    const outcomes = await world.result(world.burst(8, { organization: 'A', takesMs: 1000 }))
    expect(waitsOf(outcomes)).to.deep.equal(Array(8).fill(0))
  })

  it('serves the organization with the least execution time lately first', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const waits = (organization: string, takesMs: number) => world.ask({ organization, takesMs })
    await world.result(waits('A', 100))
    await world.result(waits('B', 40))
    void waits('C', 50)
    const asked = ['C', 'A', 'B', 'D'].map(organization => waits(organization, 10))
    expect(waitsOf(await world.result(Promise.all(asked)))).to.deep.equal([70, 80, 60, 50])
  })

  it('serves an organization in order', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const asked = [100, 100, 10].map(takesMs => world.ask({ organization: 'A', takesMs }))
    expect(waitsOf(await world.result(Promise.all(asked)))).to.deep.equal([0, 100, 200])
  })

  it('serves a request that lost its replica first, however many wait', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const one = { organization: 'A', takesMs: 10 }
    void world.burst(65, one)
    const outcome = await world.result(world.ask({ ...one, isRetry: true }))
    expect(outcome).to.include({ waitedMs: 10, problem: undefined })
  })

  it('skips a request without a free usable replica, which retains its turn', async () => {
    const world = createSimulation({ slots: { near: 1, far: 1 } })
    const usable = () => ['near']
    void world.ask({ organization: 'A', takesMs: 50, usable })
    const near = { organization: 'B', takesMs: 10, usable }
    const asked = [near, { organization: 'B', takesMs: 10 }, near].map(world.ask)
    const outcomes = await world.result(Promise.all(asked))
    expect(outcomes.map(({ waitedMs, replica }) => `${waitedMs} ${replica}`)).to.deep.equal([
      '50 near',
      '0 far',
      '60 near',
    ])
  })

  it('rejects queued and new requests once no replica is usable for them', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const replicas: string[] = ['a']
    const bound = { organization: 'A', takesMs: 10, usable: () => replicas }
    void world.ask({ organization: 'A', takesMs: 5000 })
    void world.ask({ organization: 'A', takesMs: 10 })
    const waiting = world.ask(bound)
    world.at(100, () => void replicas.pop())
    await world.run(1000)
    expect(await waiting).to.include({ replica: undefined })
    expect((await waiting).waitedMs).to.be.within(100, 500)
    expect(await world.ask(bound)).to.include({ waitedMs: 0, replica: undefined })
  })

  it('removes a request that is aborted in the queue', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const stop = createStop()
    void world.ask({ organization: 'A', takesMs: 1000 })
    const waiting = world.ask({ organization: 'A', takesMs: 10, stop })
    world.at(100, () => stop.stop(new Error('client disconnected')))
    await world.run(200)
    expect((await waiting).waitedMs).to.equal(100)
    expect(world.admission.queueLength()).to.equal(0)
  })

  it('lists the organizations by execution time in about the last minute', async () => {
    const world = createSimulation({ slots: { a: 4 } })
    void world.ask({ organization: 'A', takesMs: 300 })
    await world.result(world.burst(2, { organization: 'B', takesMs: 200 }))
    const rounded = world.admission
      .busiest()
      .map(one => ({ ...one, executionMs: Math.round(one.executionMs / 10) * 10 }))
    expect(rounded).to.deep.equal([
      { id: 'B', executionMs: 400, executing: 0, waiting: 0 },
      { id: 'A', executionMs: 300, executing: 0, waiting: 0 },
    ])
    await world.run(world.nowMs() + 600_000)
    expect(world.admission.busiest()).to.deep.equal([])
  })

  it('refuses more than 64 waiting requests of an organization at once', async () => {
    const world = createSimulation({ slots: { a: 4 } })
    const outcomes = await world.result(world.burst(100, { organization: 'A', takesMs: 1 }))
    expect(refusalsOf(outcomes)).to.deep.equal(Array(100 - 64 - 4).fill('waiting'))
    expect(outcomes.at(-1)?.problem?.code).to.equal('rate_limited')
  })

  it('refuses a request that has waited for QUEUE_TIMEOUT', async () => {
    const world = createSimulation({ slots: { a: 4 } })
    const outcomes = await world.result(world.burst(20, { organization: 'A', takesMs: 15_000 }))
    expect(refusalsOf(outcomes)).to.deep.equal(Array(20 - 4 - 4).fill('overloaded'))
    expect(outcomes.at(-1)?.waitedMs).to.be.within(20_000, 20_250)
    expect(outcomes.at(-1)?.problem?.code).to.equal('overloaded')
  })

  it('looks at the replicas as often for 10,000 waiting organizations as for 100', async () => {
    const looks: number[] = []
    for (const organizationCount of [100, 10_000]) {
      let slots = 0
      let lookCount = 0
      const taken: Array<Slot<string>> = []
      const admission = createAdmission<string>({
        replicas: ['a', 'unsuitable'],
        slotsOf(name) {
          lookCount += 1
          return name === 'a' ? slots : 4
        },
        queueTimeoutMs: 1_000_000,
        now: () => performance.now(),
      })
      const usable = () => ['a']
      const request = { usable, noneUsable: () => new Error(), isRetry: false }
      for (let at = 0; at < organizationCount; at += 1) {
        const stop = createStop()
        const waiting = admission.acquire({ ...request, organizationId: `${at}`, stop })
        void Promise.resolve(waiting).then(slot => taken.push(slot))
      }
      slots = 8
      lookCount = 0
      admission.review()
      for (let at = 0; at < 50; at += 1) {
        await new Promise(setImmediate)
        taken.shift()!.release()
      }
      looks.push(lookCount)
    }
    expect(looks[0]).to.be.above(0)
    expect(looks[1]).to.equal(looks[0])
  })
})

describe('admission by the simulation', () => {
  for (const [slots, limitMs] of [
    [1, 220],
    [2, 170],
    [4, 120],
    [8, 45],
  ] as const) {
    it(`serves a small organization beside five backlogs in ${limitMs} ms (p99), with ${slots} slots`, async () => {
      const world = createSimulation({ slots: { a: slots }, seed: 7 })
      for (const id of '12345') start(world, id, 64, long(world), 45_000)
      await world.run(5000)
      const outcomes = start(world, 'small', 1, short(world), 45_000, () => 70)
      await world.run()
      expect(refusalsOf(outcomes)).to.deep.equal([])
      expect(
        quantile(
          outcomes.map(({ totalMs }) => totalMs),
          0.99,
        ),
      ).to.be.at.most(limitMs)
    })
  }

  for (const slots of [4, 8]) {
    it(`gives an organization with 30 threads 0.8 of the time that it gets alone, beside two with 2 misses a second and ${slots} slots`, async () => {
      const executed = async (others: string) => {
        const world = createSimulation({ slots: { a: slots }, seed: 2 })
        const outcomes = start(world, 'large', 30, long(world), 60_000)
        const pauseMs = () => world.between(300, 480)
        for (const id of others) start(world, id, 1, long(world), 60_000, pauseMs)
        await world.run(60_000)
        return outcomes.length
      }
      expect((await executed('AB')) / (await executed(''))).to.be.at.least(0.8)
    })
  }

  for (const [when, longPart, pauseMs] of [
    ['that always wait', 0, 0],
    ['with an execution of 2 s in 100', 0.01, 10_000],
  ] as const) {
    it(`lets none of 1,000 organizations ${when} wait longer than 10 s`, async () => {
      const world = createSimulation({ slots: { a: 8 }, seed: 5 })
      const takesMs = () => (world.between(0, 1) < longPart ? 2000 : short(world)())
      const all = Array.from({ length: 1000 }, (_, at) =>
        start(world, `${at}`, 1, takesMs, 30_000, () => world.between(0, pauseMs)),
      )
      await world.run()
      expect(Math.max(...all.flatMap(waitsOf))).to.be.within(1000, 10_000)
    })
  }

  it('does not let an organization wait for what it had alone', async () => {
    const world = createSimulation({ slots: { a: 4 }, seed: 3 })
    await world.result(world.burst(4, { organization: 'B', takesMs: 4500 }))
    for (const id of '12345') start(world, id, 8, () => world.between(1000, 2000), 60_000)
    const outcomes = start(world, 'B', 1, short(world), 10_000, long(world))
    await world.run()
    expect(Math.max(...waitsOf(outcomes))).to.be.lessThan(5000)
  })

  for (const [slots, backlogs, least, most] of [
    [1, 1, 20, 20],
    [1, 5, 20, 200],
    [4, 1, 20, 200],
    [4, 5, 20, 200],
    [8, 5, 20, 2000],
  ] as const) {
    it(`promises ${backlogs} backlogs of ${least}-${most} ms half to twice the time that the queue needs, with ${slots} slots`, async () => {
      const world = createSimulation({ slots: { a: slots }, queueTimeoutMs: 1e9 })
      const takesMs = () => world.between(least, most)
      const all = Array.from({ length: backlogs }, (_, at) =>
        start(world, `${at}`, 100, takesMs, 100_000),
      )
      await world.run()
      for (const outcomes of all) expectPromises(outcomes, 64)
    })
  }

  it('promises the same when all organizations together have waited for too long', async () => {
    const world = createSimulation({ slots: { a: 4 } })
    const asked: Array<Promise<Outcome>> = []
    // 60 requests a second, of which 40 can be executed: 1,200 wait
    for (let at = 0; at < 6000; at += 1) {
      const one = { organization: `${at}`, takesMs: 100 }
      world.at((at * 1000) / 60, () => void asked.push(world.ask(one)))
    }
    await world.run()
    expectPromises(await Promise.all(asked), 1200)
  })
})

/** Compares `Retry-After`, after 5 s, with the time until so many others were admitted. */
function expectPromises(outcomes: readonly Outcome[], waiting: number): void {
  const admittedAt = outcomes
    .filter(({ problem }) => problem === undefined)
    .map(({ endedAt, totalMs, waitedMs }) => endedAt - totalMs + waitedMs)
    .toSorted((a, b) => a - b)
  const ratios = outcomes.flatMap(({ problem, endedAt }) => {
    const neededMs = admittedAt[admittedAt.findIndex(ms => ms > endedAt) + waiting - 1]
    if (problem === undefined || endedAt < 5000 || neededMs === undefined) return []
    const needed = Math.max(1, Math.min(120, (neededMs - endedAt) / 1000))
    return [problem.retryAfterSeconds! / needed]
  })
  expect(ratios.length).to.be.greaterThan(30)
  expect(Math.min(...ratios)).to.be.at.least(0.5)
  expect(Math.max(...ratios)).to.be.at.most(2)
}
