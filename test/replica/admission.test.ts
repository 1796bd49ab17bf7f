import { expect } from 'chai'
import type { Problem } from '../../src/errors.ts'
import { quantile } from '../support/quantile.ts'
import { createSimulation } from './admission-simulation.ts'
import type { Outcome, Simulation } from './admission-simulation.ts'

const codeOf = ({ problem }: Outcome): string | undefined => problem?.code
const refusalOf = ({ problem }: Outcome): Problem['refusal'] => problem?.refusal

/** So many at once, of one organization. */
function burst(
  world: Simulation,
  organization: string,
  count: number,
  takesMs: number,
): Promise<Outcome[]> {
  return Promise.all(Array.from({ length: count }, () => world.ask({ organization, takesMs })))
}

/** One request after another, `count` times, with a pause between. */
async function steady(
  world: Simulation,
  organization: string,
  count: number,
  takesMs: () => number,
  pauseMs: () => number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let at = 0; at < count; at += 1) {
    outcomes.push(await world.ask({ organization, takesMs: takesMs() }))
    await new Promise<void>(resolve => world.at(world.nowMs() + pauseMs(), resolve))
  }
  return outcomes
}

/** An organization that keeps so many requests waiting or executing, and obeys `Retry-After`. */
function keepBacklog(
  world: Simulation,
  organization: string,
  clients: number,
  takesMs: () => number,
  untilMs: number,
): void {
  const next = async (): Promise<void> => {
    while (world.nowMs() < untilMs) {
      const { problem } = await world.ask({ organization, takesMs: takesMs() })
      if (problem === undefined) continue
      const retryMs = world.nowMs() + problem.retryAfterSeconds! * 1000
      await new Promise<void>(resolve => world.at(retryMs, resolve))
    }
  }
  for (let at = 0; at < clients; at += 1) void next()
}

describe('admission', () => {
  it('lets an organization that is alone use all slots', async () => {
    const world = createSimulation({ slots: { a: 8 } })
    const outcomes = burst(world, 'A', 8, 1000)
    await world.run()
    expect((await outcomes).map(({ waitedMs }) => waitedMs)).to.deep.equal(Array(8).fill(0))
  })

  it('holds an organization at a quarter of the slots while others execute, and keeps a quarter free', async () => {
    const world = createSimulation({ slots: { a: 8 } })
    const most = { A: 0, all: 0 }
    void burst(world, 'B', 1, 1)
    await world.run(10)
    for (const organization of ['A', 'C', 'D']) void burst(world, organization, 20, 100)
    for (let ms = 20; ms < 900; ms += 10) {
      world.at(ms, () => {
        const busy = world.admission.busiest(10)
        most.A = Math.max(
          most.A,
          ...busy.filter(({ id }) => id === 'A').map(({ executing }) => executing),
        )
        most.all = Math.max(
          most.all,
          busy.reduce((sum, { executing }) => sum + executing, 0),
        )
      })
    }
    await world.run(900)
    expect(most).to.deep.equal({ A: 2, all: 6 })
  })

  it('gives organizations equal execution time, whatever one execution takes', async () => {
    const world = createSimulation({ slots: { a: 1 }, queueTimeoutMs: 3_600_000 })
    const spent = { long: 0, short: 0 }
    const untilMs = 60_000
    for (const [organization, takesMs] of [
      ['long', 400],
      ['short', 20],
    ] as const) {
      const next = async (): Promise<void> => {
        while (world.nowMs() < untilMs) {
          await world.ask({ organization, takesMs })
          spent[organization] += takesMs
        }
      }
      for (let at = 0; at < 40; at += 1) void next()
    }
    await world.run(untilMs)
    expect(spent.long / spent.short).to.be.within(0.9, 1.1)
  })

  it('serves an organization in its order, and never two identical executions at once', async () => {
    const world = createSimulation({ slots: { a: 4 } })
    const first = world.ask({ organization: 'A', takesMs: 100, identity: 'large' })
    const second = world.ask({ organization: 'A', takesMs: 100, identity: 'large' })
    const other = world.ask({ organization: 'A', takesMs: 10 })
    await world.run()
    expect((await first).waitedMs).to.equal(0)
    expect((await second).waitedMs).to.equal(100)
    expect((await other).waitedMs).to.equal(0)
  })

  it('skips what no free replica may execute, which keeps its turn', async () => {
    const world = createSimulation({ slots: { near: 1, far: 1 } })
    void world.ask({ organization: 'A', takesMs: 50, servers: ['near'] })
    const held = world.ask({ organization: 'B', takesMs: 10, servers: ['near'] })
    const free = world.ask({ organization: 'B', takesMs: 10 })
    const behind = world.ask({ organization: 'B', takesMs: 10, servers: ['near'] })
    await world.run()
    expect(await free).to.include({ waitedMs: 0, server: 'far' })
    expect(await held).to.include({ waitedMs: 50, server: 'near' })
    expect((await behind).waitedMs).to.equal(60)
  })

  it('rejects what waits once no replica may execute it, and at once what comes then', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const servers: string[] = ['a']
    void world.ask({ organization: 'A', takesMs: 1000 })
    const waiting = world.ask({ organization: 'A', takesMs: 10, servers })
    world.at(100, () => {
      servers.pop()
      world.admission.serve()
    })
    await world.run(200)
    expect(await waiting).to.include({ waitedMs: 100, server: undefined })
    expect(await world.ask({ organization: 'A', takesMs: 10, servers })).to.include({ waitedMs: 0 })
  })

  it('rejects what no replica may execute from the middle of a queue, too', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const servers: string[] = ['a']
    void world.ask({ organization: 'A', takesMs: 5000 })
    void world.ask({ organization: 'A', takesMs: 10 })
    const waiting = world.ask({ organization: 'A', takesMs: 10, servers })
    world.at(100, () => void servers.pop())
    await world.run()
    expect((await waiting).waitedMs).to.be.within(100, 1000)
  })

  it('reserves nothing on replicas that an execution may not go to', async () => {
    const world = createSimulation({ slots: { near: 4, far: 4 } })
    void burst(world, 'B', 1, 1)
    await world.run()
    for (const organization of ['A', 'C', 'D', 'E', 'F']) {
      for (let at = 0; at < 6; at += 1) {
        void world.ask({ organization, takesMs: 10_000, servers: ['near'] })
      }
    }
    let most = 0
    for (let ms = 10; ms < 9000; ms += 10) {
      world.at(ms, () => void (most = Math.max(most, world.admission.executingOn('near'))))
    }
    await world.run(9000)
    expect(most).to.equal(4)
    const perOrganization = world.admission.busiest(10).map(({ executing }) => executing)
    expect(Math.max(...perOrganization)).to.equal(1)
  })

  it('does not count what hangs on a server that is cut off', async () => {
    const slots = { one: 4, two: 4 }
    const world = createSimulation({ slots })
    void burst(world, 'B', 1, 1)
    await world.run()
    void world.ask({ organization: 'A', takesMs: 5000, servers: ['one'], identity: 'same' })
    void world.ask({ organization: 'A', takesMs: 5000, servers: ['one'] })
    world.at(100, () => void (slots.one = 0))
    await world.run(200)
    const outcome = world.ask({
      organization: 'A',
      takesMs: 10,
      servers: ['two'],
      identity: 'same',
    })
    await world.run(300)
    expect((await outcome).waitedMs).to.equal(0)
  })

  it('does not hold against an organization what it executed while it was alone', async () => {
    const world = createSimulation({ slots: { a: 4 }, seed: 3 })
    void burst(world, 'B', 4, 4500)
    await world.run(20_000)
    const between = () => 1000 + 1000 * world.random()
    for (let at = 0; at < 5; at += 1) keepBacklog(world, `hog${at}`, 8, between, 60_000)
    const asked = steady(
      world,
      'B',
      20,
      () => 10,
      () => 100,
    )
    await world.run(120_000)
    const waits = (await asked).map(({ waitedMs }) => waitedMs)
    expect(Math.max(...waits)).to.be.lessThan(2500)
  })

  it('forgets a request that is aborted while it waits', async () => {
    const world = createSimulation({ slots: { a: 1 } })
    const controller = new AbortController()
    void world.ask({ organization: 'A', takesMs: 1000 })
    const waiting = world.ask({ organization: 'A', takesMs: 10, signal: controller.signal })
    world.at(100, () => controller.abort(new Error('client disconnected')))
    await world.run(200)
    expect((await waiting).waitedMs).to.equal(100)
    expect(world.admission.queueLength()).to.equal(0)
  })

  describe('refuses before waiting', () => {
    it('more than 64 of one organization, however short they are', async () => {
      const world = createSimulation({ slots: { a: 4 } })
      const outcomes = burst(world, 'A', 100, 1)
      await world.run()
      const refused = (await outcomes).filter(({ problem }) => problem)
      expect(refused).to.have.length(100 - 64 - 4)
      expect(new Set(refused.map(codeOf))).to.deep.equal(new Set(['rate_limited']))
      expect(new Set(refused.map(refusalOf))).to.deep.equal(new Set(['waiting']))
    })

    it('a backlog that takes longer than QUEUE_TIMEOUT: 429 for its own, 503 for everybody’s', async () => {
      const world = createSimulation({ slots: { a: 4 }, queueTimeoutMs: 20_000 })
      void burst(world, 'A', 1, 10_000)
      await world.run()
      const own = await refusedAtOnce(world, burst(world, 'A', 20, 10_000))
      expect(new Set(own.map(refusalOf))).to.deep.equal(new Set(['backlog']))
      expect(20 - own.length, '4 execute, and 4 each wait for 10 and for 20 s').to.equal(12)
      await world.run()
      for (let at = 0; at < 40; at += 1) {
        void world.ask({ organization: `O${at}`, takesMs: 10_000 })
        await world.run()
      }
      // Every other organization has one: each alone would be served in time, all of them are not.
      const others = Array.from({ length: 40 }, (_, at) =>
        world.ask({ organization: `O${at}`, takesMs: 10_000 }),
      )
      const refused = await refusedAtOnce(world, Promise.all(others))
      expect(refused.length).to.be.greaterThan(20)
      expect(new Set(refused.map(codeOf))).to.deep.equal(new Set(['overloaded']))
    })

    it('nothing because executions of another organization are slow', async () => {
      const world = createSimulation({ slots: { a: 4 } })
      void steady(
        world,
        'A',
        20,
        () => 4500,
        () => 0,
      )
      await world.run(60_000)
      const outcomes = burst(world, 'B', 20, 10)
      await world.run()
      expect((await outcomes).map(codeOf)).to.deep.equal(Array(20).fill(undefined))
    })

    it('once executions that end early have shown how long they take', async () => {
      const world = createSimulation({ slots: { a: 8 } })
      void steady(
        world,
        'B',
        500,
        () => 5,
        () => 100,
      )
      const aborted = { organization: 'A', takesMs: 5000, isComplete: false }
      void world.ask(aborted)
      await world.run(6000)
      const refused = await refusedAtOnce(
        world,
        Promise.all(Array.from({ length: 40 }, () => world.ask(aborted))),
      )
      expect(refused.length).to.be.at.least(28)
      expect(refused.at(-1)!.problem!.retryAfterSeconds).to.be.greaterThan(20)
    })

    it('identical executions by the time of all of them', async () => {
      const world = createSimulation({ slots: { a: 8 } })
      void burst(world, 'A', 1, 2000)
      await world.run()
      const asked = Array.from({ length: 40 }, () =>
        world.ask({ organization: 'A', takesMs: 2000, identity: 'large' }),
      )
      const refused = await refusedAtOnce(world, Promise.all(asked))
      expect(40 - refused.length).to.be.within(10, 12)
    })

    it('so that 95 % of clients that obey Retry-After are admitted at their first retry', async () => {
      for (const [slots, takesMs, count] of [
        [1, 20, 300],
        [4, 5, 2000],
        [8, 50, 2000],
        [8, 2000, 300],
        [2, 4000, 60],
      ] as const) {
        const world = createSimulation({ slots: { a: slots }, seed: slots })
        // B is there as well, so that A has its share and no more.
        void steady(
          world,
          'B',
          1000,
          () => 5,
          () => 500,
        )
        void burst(world, 'A', 1, takesMs)
        await world.run(takesMs + 10)
        const retried: Outcome[] = []
        const askTwice = async (): Promise<void> => {
          const { problem } = await world.ask({ organization: 'A', takesMs })
          if (problem === undefined || problem.retryAfterSeconds! >= 120) return
          const retryMs = world.nowMs() + problem.retryAfterSeconds! * 1000
          await new Promise<void>(resolve => world.at(retryMs, resolve))
          retried.push(await world.ask({ organization: 'A', takesMs }))
        }
        for (let at = 0; at < count; at += 1) void askTwice()
        await world.run(300_000)
        const admitted = retried.filter(({ problem }) => problem === undefined).length
        expect(retried.length, `${slots} slots, ${takesMs} ms`).to.be.greaterThan(10)
        expect(admitted / retried.length, `${slots} slots, ${takesMs} ms`).to.be.at.least(0.95)
      }
    })
  })

  describe('with a budget', () => {
    const budget = { executionMs: 2000, windowMs: 10_000 }

    it('refuses an organization that has used it up until it refills, and no other', async () => {
      const world = createSimulation({ slots: { a: 4 }, budget, queueTimeoutMs: 1000 })
      void burst(world, 'A', 2, 2000)
      await world.run()
      const [refused] = await burst(world, 'A', 1, 10)
      expect(refusalOf(refused!)).to.equal('budget')
      expect(refused!.problem!.retryAfterSeconds).to.be.within(8, 13)
      const other = burst(world, 'B', 1, 10)
      await world.run()
      expect(codeOf((await other)[0]!)).to.equal(undefined)
      await world.run(world.nowMs() + 13_000)
      const again = burst(world, 'A', 1, 10)
      await world.run()
      expect(codeOf((await again)[0]!)).to.equal(undefined)
    })

    it('says in detail when it refills later than Retry-After can tell', async () => {
      const world = createSimulation({ slots: { a: 4 }, budget })
      void burst(world, 'A', 1, 60_000)
      await world.run()
      const [refused] = await burst(world, 'A', 1, 10)
      expect(refused!.problem).to.include({ retryAfterSeconds: 120 })
      expect(Number(/in (\d+) s/.exec(refused!.problem!.detail.en)?.[1])).to.be.greaterThan(280)
    })

    it('lets a request wait where it refills within QUEUE_TIMEOUT', async () => {
      const world = createSimulation({ slots: { a: 4 }, budget })
      void burst(world, 'A', 1, 3000)
      await world.run()
      const waiting = burst(world, 'A', 1, 10)
      await world.run()
      expect((await waiting)[0]!.problem).to.equal(undefined)
      expect((await waiting)[0]!.waitedMs).to.be.within(2000, 5500)
    })

    it('admits 95 % at their first retry, though executions at once take five times as long', async () => {
      const tight = { executionMs: 2000, windowMs: 60_000 }
      const world = createSimulation({ slots: { a: 8 }, budget: tight })
      void burst(world, 'A', 20, 5)
      await world.run()
      void world.ask({ organization: 'A', takesMs: 3000, alike: 'long' })
      await world.run()
      const retried: Outcome[] = []
      const askTwice = async (): Promise<void> => {
        const { problem } = await world.ask({ organization: 'A', takesMs: 25 })
        if (problem === undefined || problem.retryAfterSeconds! >= 120) return
        const retryMs = world.nowMs() + problem.retryAfterSeconds! * 1000
        await new Promise<void>(resolve => world.at(retryMs, resolve))
        retried.push(await world.ask({ organization: 'A', takesMs: 25 }))
      }
      for (let at = 0; at < 40; at += 1) void askTwice()
      await world.run(400_000)
      expect(retried.length).to.be.greaterThan(10)
      const admitted = retried.filter(({ problem }) => problem === undefined).length
      expect(admitted / retried.length).to.be.at.least(0.95)
    })

    it('tells what remains', async () => {
      const world = createSimulation({ slots: { a: 4 }, budget })
      expect(world.admission.budgetOf('A')).to.deep.equal({ remainingMs: 2000, resetSeconds: 0 })
      void burst(world, 'A', 1, 1000)
      await world.run()
      const { remainingMs, resetSeconds } = world.admission.budgetOf('A')!
      expect(remainingMs).to.be.within(1000, 1300)
      expect(resetSeconds).to.be.within(4, 5)
    })
  })

  it('lists the organizations with the most execution time in the last minute', async () => {
    const world = createSimulation({ slots: { a: 4 } })
    void burst(world, 'A', 1, 300)
    void burst(world, 'B', 2, 200)
    await world.run()
    expect(world.admission.busiest(1)).to.deep.equal([
      { id: 'B', executionMs: 400, executing: 0, waiting: 0 },
    ])
    await world.run(world.nowMs() + 70_000)
    expect(world.admission.busiest(10)).to.deep.equal([])
  })

  for (const [hogs, p50Limit, p99Limit] of [
    [1, 3, 6],
    [5, 52 / 14, 163 / 21],
  ] as const) {
    describe(`keeps a small organization quick beside ${hogs} with a backlog`, () => {
      for (const slots of [1, 2, 3, 4, 8]) {
        it(`with ${slots} slots`, async function () {
          this.timeout(20_000)
          const quiet = await measure(slots, 0)
          const loaded = await measure(slots, hogs)
          const text = [
            `p50 ${quiet.p50.toFixed(0)} to ${loaded.p50.toFixed(0)} ms`,
            `p99 ${quiet.p99.toFixed(0)} to ${loaded.p99.toFixed(0)} ms`,
            `${loaded.perSecond.toFixed(0)} executions a second in slots ${loaded.busyPercent.toFixed(0)} % busy`,
          ].join(', ')
          this.test!.title += `: ${text}`
          expect(loaded.p99, 'refused').to.be.lessThan(Number.POSITIVE_INFINITY)
          if (slots < 4) return
          expect(loaded.p50 / quiet.p50, text).to.be.at.most(p50Limit)
          expect(loaded.p99 / quiet.p99, text).to.be.at.most(p99Limit)
        })
      }
    })
  }
})

/** What is refused before anything else happens; the rest goes on. */
async function refusedAtOnce(world: Simulation, asked: Promise<Outcome[]>): Promise<Outcome[]> {
  const atMs = world.nowMs()
  const refused = asked.then(outcomes =>
    outcomes.filter(({ problem, waitedMs }) => problem && waitedMs === 0),
  )
  await world.run(atMs)
  await world.run()
  return refused
}

/** Of 1,000 requests of 5 to 25 ms, one after another, beside organizations that always have 64 of 20 to 200 ms. */
async function measure(
  slots: number,
  hogs: number,
): Promise<{ p50: number; p99: number; busyPercent: number; perSecond: number }> {
  const world = createSimulation({ slots: { a: slots }, seed: 7 })
  const between = (least: number, most: number) => () => least + (most - least) * world.random()
  for (let at = 0; at < hogs; at += 1) {
    keepBacklog(world, `hog${at}`, 64, between(20, 200), 120_000)
  }
  await world.run(5000)
  const before = { busyMs: world.busyMs(), executions: world.executions() }
  const outcomes = steady(world, 'small', 1000, between(5, 25), between(40, 100))
  await world.run(100_000)
  const busyPercent = (100 * (world.busyMs() - before.busyMs)) / 95_000 / slots
  const perSecond = (world.executions() - before.executions) / 95
  await world.run(400_000)
  const times = (await outcomes).map(({ totalMs, problem }) =>
    problem ? Number.POSITIVE_INFINITY : totalMs,
  )
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), busyPercent, perSecond }
}
