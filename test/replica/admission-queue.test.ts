import { expect } from 'chai'
import { quantile } from '../harness/quantile.ts'
import { createSimulation } from './admission-simulation.ts'
import type { Ask, Outcome, Simulation } from './admission-simulation.ts'

const refusalsOf = (outcomes: readonly Outcome[]): unknown[] => [
  ...new Set(outcomes.map(({ problem }) => problem?.refusal)),
]
const isRefused = ({ problem }: Outcome): boolean => problem !== undefined

/** One request after another, `count` times, with a pause between. */
async function steady(world: Simulation, count: number, ask: Ask, pauseMs: number) {
  const outcomes: Outcome[] = []
  for (let at = 0; at < count; at += 1) {
    outcomes.push(await world.ask(ask))
    await world.pause(pauseMs)
  }
  return outcomes
}

/** An organization with a fixed number of requests waiting or executing, which obeys `Retry-After`. */
function startBacklog(
  world: Simulation,
  organization: string,
  clients: number,
  takesMs: () => number,
  untilMs: number,
): void {
  const next = async (): Promise<void> => {
    while (world.nowMs() < untilMs) {
      const { problem } = await world.ask({ organization, takesMs: takesMs() })
      if (problem) await world.pause(problem.retryAfterSeconds! * 1000)
    }
  }
  for (let at = 0; at < clients; at += 1) void next()
}

/** The immediate refusals; other requests continue. */
async function refusedAtOnce(world: Simulation, asked: Promise<Outcome[]>): Promise<Outcome[]> {
  await world.run(world.nowMs())
  const outcomes = await world.result(asked)
  return outcomes.filter(outcome => isRefused(outcome) && outcome.waitedMs === 0)
}

/** Sends concurrent requests, and repeats refused ones after `Retry-After`. */
async function expectRetriesAdmitted(world: Simulation, count: number, ask: Ask): Promise<void> {
  const retried: Outcome[] = []
  const askTwice = async (): Promise<void> => {
    const { problem } = await world.ask(ask)
    if (problem === undefined || problem.retryAfterSeconds! >= 120) return
    await world.pause(problem.retryAfterSeconds! * 1000)
    retried.push(await world.ask(ask))
  }
  for (let at = 0; at < count; at += 1) void askTwice()
  await world.run(400_000)
  expect(retried.length).to.be.greaterThan(10)
  expect(retried.filter(isRefused).length / retried.length).to.be.at.most(0.05)
}

describe('admission', () => {
  it('lets an organization without competitors use all slots', async () => {
    const world = createSimulation({ slots: { a: 8 } })
    const outcomes = await world.result(world.burst(8, { organization: 'A', takesMs: 1000 }))
    expect(outcomes.map(({ waitedMs }) => waitedMs)).to.deep.equal(Array(8).fill(0))
  })

  it('limits an organization to a quarter of the slots while others execute, and reserves a quarter', async () => {
    const world = createSimulation({ slots: { a: 8 } })
    const most = { A: 0, all: 0 }
    void world.ask({ organization: 'B', takesMs: 1 })
    await world.run(10)
    for (const organization of ['A', 'C', 'D']) void world.burst(20, { organization, takesMs: 100 })
    for (let ms = 20; ms < 900; ms += 10) {
      world.at(ms, () => {
        const busy = world.admission.busiest(10)
        most.A = Math.max(most.A, busy.find(({ id }) => id === 'A')?.executing ?? 0)
        most.all = Math.max(most.all, world.admission.executingOn('a'))
      })
    }
    await world.run(900)
    expect(most).to.deep.equal({ A: 2, all: 6 })
  })

  it('gives organizations equal execution time, for any duration of an execution', async () => {
    const world = createSimulation({ slots: { a: 1 }, queueTimeoutMs: 3_600_000 })
    const spent = { long: 0, short: 0 }
    for (const [organization, takesMs] of [
      ['long', 400],
      ['short', 20],
    ] as const) {
      const next = async (): Promise<void> => {
        while (world.nowMs() < 60_000) {
          await world.ask({ organization, takesMs })
          spent[organization] += takesMs
        }
      }
      for (let at = 0; at < 40; at += 1) void next()
    }
    await world.run(60_000)
    expect(spent.long / spent.short).to.be.within(0.9, 1.1)
  })

  it('serves an organization in order, and never two identical executions at once', async () => {
    const world = createSimulation({ slots: { a: 4 } })
    const large = { organization: 'A', takesMs: 100, identity: 'large' }
    const asked = [large, large, { organization: 'A', takesMs: 10 }].map(world.ask)
    const outcomes = await world.result(Promise.all(asked))
    expect(outcomes.map(({ waitedMs }) => waitedMs)).to.deep.equal([0, 100, 0])
  })

  it('skips a request without a free usable replica, which retains its turn', async () => {
    const world = createSimulation({ slots: { near: 1, far: 1 } })
    void world.ask({ organization: 'A', takesMs: 50, servers: ['near'] })
    const near = { organization: 'B', takesMs: 10, servers: ['near'] }
    const asked = [near, { organization: 'B', takesMs: 10 }, near].map(world.ask)
    const outcomes = await world.result(Promise.all(asked))
    expect(outcomes.map(({ waitedMs, server }) => `${waitedMs} ${server}`)).to.deep.equal([
      '50 near',
      '0 far',
      '60 near',
    ])
  })

  it('rejects queued and new requests once no replica is usable for them', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const servers: string[] = ['a']
    const bound = { organization: 'A', takesMs: 10, servers }
    void world.ask({ organization: 'A', takesMs: 5000 })
    void world.ask({ organization: 'A', takesMs: 10 })
    const waiting = world.ask(bound)
    world.at(100, () => void servers.pop())
    await world.run(1000)
    expect(await waiting).to.include({ server: undefined })
    expect((await waiting).waitedMs).to.be.within(100, 1000)
    expect(await world.ask(bound)).to.include({ waitedMs: 0, server: undefined })
  })

  it('reserves nothing on replicas that are not usable for an execution', async () => {
    const world = createSimulation({ slots: { near: 4, far: 4 } })
    await world.result(world.ask({ organization: 'B', takesMs: 1 }))
    for (const organization of ['A', 'C', 'D', 'E', 'F']) {
      void world.burst(6, { organization, takesMs: 10_000, servers: ['near'] })
    }
    let most = 0
    for (let ms = 10; ms < 9000; ms += 10) {
      world.at(ms, () => void (most = Math.max(most, world.admission.executingOn('near'))))
    }
    await world.run(9000)
    expect(most).to.equal(4)
    const executing = world.admission.busiest(10).map(one => one.executing)
    expect(Math.max(...executing)).to.equal(1)
  })

  it('ignores executions that hang on an unreachable server', async () => {
    const slots = { one: 4, two: 4 }
    const world = createSimulation({ slots })
    await world.result(world.ask({ organization: 'B', takesMs: 1 }))
    const same = { organization: 'A', takesMs: 5000, identity: 'same' }
    void world.ask({ ...same, servers: ['one'] })
    void world.ask({ organization: 'A', takesMs: 5000, servers: ['one'] })
    world.at(100, () => void (slots.one = 0))
    await world.run(200)
    const outcome = world.ask({ ...same, takesMs: 10, servers: ['two'] })
    await world.run(300)
    expect((await outcome).waitedMs).to.equal(0)
  })

  it('charges an organization nothing for executions without competitors', async () => {
    const world = createSimulation({ slots: { a: 4 }, seed: 3 })
    void world.burst(4, { organization: 'B', takesMs: 4500 })
    await world.run(20_000)
    for (let at = 0; at < 5; at += 1) {
      startBacklog(world, `hog${at}`, 8, () => world.between(1000, 2000), 60_000)
    }
    const asked = steady(world, 20, { organization: 'B', takesMs: 10 }, 100)
    await world.run(120_000)
    const waits = (await asked).map(({ waitedMs }) => waitedMs)
    expect(Math.max(...waits)).to.be.lessThan(2500)
  })

  it('removes a request that is aborted in the queue', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const controller = new AbortController()
    const { signal } = controller
    void world.ask({ organization: 'A', takesMs: 1000 })
    const waiting = world.ask({ organization: 'A', takesMs: 10, signal })
    world.at(100, () => controller.abort(new Error('client disconnected')))
    await world.run(200)
    expect((await waiting).waitedMs).to.equal(100)
    expect(world.admission.queueLength()).to.equal(0)
  })

  it('lists the organizations with the most execution time in the last minute', async () => {
    const world = createSimulation({ slots: { a: 4 } })
    void world.ask({ organization: 'A', takesMs: 300 })
    await world.result(world.burst(2, { organization: 'B', takesMs: 200 }))
    expect(world.admission.busiest(1)).to.deep.equal([
      { id: 'B', executionMs: 400, executing: 0, waiting: 0 },
    ])
    expect(world.admission.busiestRatio()).to.equal(400 / 700)
    await world.run(world.nowMs() + 70_000)
    expect(world.admission.busiest(10)).to.deep.equal([])
    expect(world.admission.busiestRatio()).to.equal(0)
  })

  describe('refuses before waiting', () => {
    it('more than 64 requests of one organization, even if they are short', async () => {
      const world = createSimulation({ slots: { a: 4 } })
      const outcomes = await world.result(world.burst(100, { organization: 'A', takesMs: 1 }))
      const refused = outcomes.filter(isRefused)
      expect(refused).to.have.length(100 - 64 - 4)
      expect(refusalsOf(refused)).to.deep.equal(['waiting'])
      expect(refused[0]?.problem?.code).to.equal('rate_limited')
    })

    it('a backlog longer than QUEUE_TIMEOUT: 429 for that of the organization, 503 for that of all', async () => {
      const world = createSimulation({ slots: { a: 4 }, queueTimeoutMs: 20_000 })
      const of = (organization: string): Ask => ({ organization, takesMs: 10_000 })
      await world.result(world.ask(of('A')))
      const own = await refusedAtOnce(world, world.burst(20, of('A')))
      expect(refusalsOf(own)).to.deep.equal(['backlog'])
      expect(20 - own.length, '4 execute, and 4 each wait for 10 and for 20 s').to.equal(12)
      // Every other organization has one request: each alone would be served in time, but not all of them.
      const others = Array.from({ length: 40 }, (_, at) => of(`O${at}`))
      for (const other of others) await world.result(world.ask(other))
      const refused = await refusedAtOnce(world, Promise.all(others.map(world.ask)))
      expect(refused.length).to.be.greaterThan(20)
      expect(refused[0]?.problem?.code).to.equal('overloaded')
      expect(refusalsOf(refused)).to.have.length(1)
    })

    it('nothing because executions of another organization are slow', async () => {
      const world = createSimulation({ slots: { a: 4 } })
      void steady(world, 20, { organization: 'A', takesMs: 4500 }, 0)
      await world.run(60_000)
      const outcomes = await world.result(world.burst(20, { organization: 'B', takesMs: 10 }))
      expect(outcomes.filter(isRefused)).to.deep.equal([])
    })

    it('after executions that ended early have shown their duration', async () => {
      const world = createSimulation({ slots: { a: 8 } })
      void steady(world, 500, { organization: 'B', takesMs: 5 }, 100)
      const aborted = { organization: 'A', takesMs: 5000, isComplete: false }
      void world.ask(aborted)
      await world.run(6000)
      const refused = await refusedAtOnce(world, world.burst(40, aborted))
      expect(refused.length).to.be.at.least(28)
      expect(refused.at(-1)!.problem!.retryAfterSeconds).to.be.greaterThan(20)
    })

    it('identical executions by their total time', async () => {
      const world = createSimulation({ slots: { a: 8 } })
      const large = { organization: 'A', takesMs: 2000 }
      await world.result(world.ask(large))
      const refused = await refusedAtOnce(world, world.burst(40, { ...large, identity: 'large' }))
      expect(40 - refused.length).to.be.within(10, 12)
    })

    for (const [slots, takesMs, count] of [
      [1, 20, 300],
      [4, 5, 1000],
      [8, 50, 1000],
      [8, 2000, 300],
      [2, 4000, 60],
    ] as const) {
      it(`so that clients that obey Retry-After are admitted then: ${slots} slots, ${takesMs} ms`, async () => {
        const world = createSimulation({ slots: { a: slots }, seed: slots })
        // B competes, so that A has only its share.
        void steady(world, 1000, { organization: 'B', takesMs: 5 }, 500)
        void world.ask({ organization: 'A', takesMs })
        await world.run(takesMs + 10)
        await expectRetriesAdmitted(world, count, { organization: 'A', takesMs })
      })
    }
  })

  for (const [slots, hogs, p50Limit, p99Limit] of [
    [1, 1, 1000, 1000],
    [4, 1, 42, 126],
    [4, 5, 52, 163],
  ] as const) {
    it(`serves a small organization in ${p50Limit} ms (p50) and ${p99Limit} ms (p99) beside ${hogs} organizations with a backlog, with ${slots} slots`, async () => {
      const times = await timesOf(slots, hogs)
      expect(quantile(times, 0.5), 'p50').to.be.at.most(p50Limit)
      expect(quantile(times, 0.99), 'p99').to.be.at.most(p99Limit)
    })
  }
})

/** Of 500 sequential requests of 15 ms, while other organizations always have 64 requests of 20 to 200 ms. */
async function timesOf(slots: number, hogs: number): Promise<number[]> {
  const world = createSimulation({ slots: { a: slots }, seed: 7 })
  for (let at = 0; at < hogs; at += 1) {
    startBacklog(world, `hog${at}`, 64, () => world.between(20, 200), 60_000)
  }
  await world.run(5000)
  const outcomes = await world.result(
    steady(world, 500, { organization: 'small', takesMs: 15 }, 70),
  )
  return outcomes.map(one => (isRefused(one) ? Number.POSITIVE_INFINITY : one.totalMs))
}
