import { expect } from 'chai'
import { createAdmission } from '../../src/replica/admission.ts'
import { createExecutionCosts } from '../../src/replica/execution-costs.ts'
import type { Observation } from '../../src/observation.ts'
import { classifyError } from '../../src/replica/classify-error.ts'
import type { OrganizationRun } from '../../src/replica/replica-run.ts'
import { createReplicas } from '../../src/replica/replicas.ts'
import type { Member } from '../../src/replica/replicas.ts'
import { createRetryBudget } from '../../src/replica/retry-budget.ts'
import { WritableServerError } from '../../src/replica/writable-server.ts'

const withCode = (code: string) => Object.assign(new Error(`from PostgreSQL ${code}`), { code })

interface Told {
  readonly name: string
  readonly load?: number
  readonly lagSeconds?: number | undefined
  readonly ageMs?: number
  readonly usable?: boolean
  readonly open?: boolean
  readonly quiet?: boolean
  readonly connected?: boolean
  /** What its runs end with, in turn; then they go well. `before` is without a connection. */
  readonly ends?: Array<{
    readonly error: unknown
    readonly before?: boolean
    readonly ms?: number
  }>
}

/** Replicas that answer as they are told: which of them is asked, and when, is what is looked at. */
function world(...all: Told[]) {
  let nowMs = 0
  let identity = 0
  const asked: string[] = []
  const waits: number[] = []
  const facts: Observation[] = []
  const told: string[] = []
  const members = all.map((one): Member => {
    const ends = [...(one.ends ?? [])]
    return {
      name: one.name,
      load: () => one.load ?? 0,
      stateAgeMs: () => one.ageMs ?? 0,
      state: () => ({
        inRecovery: one.usable ?? true,
        usable: one.usable ?? true,
        dataAsOf: undefined,
        lagSeconds: 'lagSeconds' in one ? one.lagSeconds : 0,
        replayPaused: false,
      }),
      circuit: {
        state: () => (one.open === true ? 'open' : 'closed'),
        why: () => undefined,
        refused: () => undefined,
        failed: () => void told.push(`${one.name} failed`),
        answered: () => void told.push(`${one.name} answered`),
        probed: () => undefined,
        late: () => undefined,
        unprobed: () => undefined,
        isQuiet: () => one.quiet ?? false,
        places: max => max,
      },
      look: () => void told.push(`${one.name} is looked at`),
      replica: {
        async run(run) {
          asked.push(one.name)
          const end = ends.shift()
          if (end?.before !== true) run.open()
          nowMs += end?.ms ?? 0
          if (end) throw classifyError(end.error)
        },
        rehearse: async () => [],
        dropIdle: () => void told.push(`${one.name} drops`),
        isConnected: () => one.connected ?? true,
      },
    }
  })
  const admission = createAdmission<Member>({
    servers: members,
    slotsOf: () => 100,
    onWait: () => undefined,
    costs: createExecutionCosts(),
    queueTimeoutMs: 1000,
    budget: undefined,
    now: () => nowMs,
    random: () => 0.5,
  })
  const replicas = createReplicas({
    members,
    admission,
    budget: createRetryBudget(),
    observe: fact => void facts.push(fact),
    now: () => nowMs,
    random: () => 0.5,
    wait: async ms => void waits.push(ms),
  })
  const run = (over: Partial<OrganizationRun> = {}): Promise<string> =>
    replicas
      .run({
        name: 'x',
        organizationId: '1',
        identity: String((identity += 1)),
        alike: '1',
        text: '',
        preparedName: '',
        values: [],
        timeoutMs: 1000,
        open: () => ({
          sink: { begin: () => undefined, row: () => true, rowCount: () => 0 },
          finish: () => undefined,
          isOut: () => false,
        }),
        signal: new AbortController().signal,
        ...over,
      })
      .then(
        () => 'ok',
        (error: unknown) => classifyError(error).code,
      )
  return { run, asked, waits, facts, told }
}

const CONFLICT = { error: withCode('40001') }
const LOST = { error: new Error('Connection terminated unexpectedly') }
const REFUSED = { error: withCode('ECONNREFUSED'), before: true }

describe('replicas', () => {
  it('have a run go to the least busy', async () => {
    const { run, asked } = world(
      { name: 'a', load: 3 },
      { name: 'b', load: 1 },
      { name: 'c', load: 2 },
    )
    expect([await run(), asked]).to.deep.equal(['ok', ['b']])
  })

  it('that are writable, cannot be reached or are too far behind are left out', async () => {
    const { run, asked } = world(
      { name: 'a', usable: false },
      { name: 'b', open: true },
      { name: 'c', lagSeconds: 4, ageMs: 1001 },
      { name: 'd', lagSeconds: undefined },
      { name: 'e', load: 9, lagSeconds: 4, ageMs: 1000 },
    )
    expect([await run({ maxLagMs: 5000 }), asked]).to.deep.equal(['ok', ['e']])
  })

  it('of which none may have a run are unavailable, and the log is told why each', async () => {
    const { run, facts } = world({ name: 'a', open: true }, { name: 'b', lagSeconds: 7 })
    expect(await run({ maxLagMs: 5000 })).to.equal('replica_unavailable')
    const [fact] = facts
    expect(fact).to.include({ kind: 'run', definition: 'x', outcome: 'unavailable' })
    expect((fact as { error?: Error }).error?.message).to.equal(
      'no replica: a cannot be reached; b may be 7 s behind, where 5 s are allowed',
    )
    expect(await run(), 'without a limit').to.equal('ok')
  })

  it('refuse what would wait too long, and the log is told of the wait and of no execution', async () => {
    const { run, facts } = world({ name: 'a' })
    const codes = await Promise.all(Array.from({ length: 166 }, () => run()))
    expect(codes.filter(code => code !== 'ok')).to.deep.equal(['rate_limited', 'rate_limited'])
    expect(facts).to.have.length(2)
    expect(facts[1]).to.include({
      kind: 'run',
      outcome: 'refused',
      queueMs: 0,
      durationMs: undefined,
      rowCount: 0,
    })
  })

  it('make a run in conflict once more, a little later, elsewhere', async () => {
    const { run, asked, waits, facts } = world(
      { name: 'a', ends: [CONFLICT] },
      { name: 'b', load: 5 },
    )
    expect([await run(), asked, waits]).to.deep.equal(['ok', ['a', 'b'], [300]])
    expect(facts[0]).to.include({ kind: 'run-retried', replica: 'a', reason: 'conflict' })
  })

  it('make it on the same one where there is no other, and no third time', async () => {
    const { run, asked } = world({ name: 'a', ends: [CONFLICT, CONFLICT, CONFLICT] })
    expect([await run(), asked]).to.deep.equal(['replica_unavailable', ['a', 'a']])
  })

  it('leave a conflict alone once 40 % of the time are gone', async () => {
    const late = world({ name: 'a', ends: [{ ...CONFLICT, ms: 401 }] }, { name: 'b', load: 1 })
    expect([await late.run(), late.asked]).to.deep.equal(['replica_unavailable', ['a']])
    const early = world({ name: 'a', ends: [{ ...CONFLICT, ms: 400 }] }, { name: 'b', load: 1 })
    expect([await early.run(), early.asked]).to.deep.equal(['ok', ['a', 'b']])
  })

  it('make nothing again of which rows are out', async () => {
    const { run, asked } = world({ name: 'a', ends: [CONFLICT] }, { name: 'b', load: 1 })
    const sink = { begin: () => undefined, row: () => true, rowCount: () => 7 }
    const open = () => ({ sink, finish: () => undefined, isOut: () => true })
    expect([await run({ open }), asked]).to.deep.equal(['replica_unavailable', ['a']])
  })

  it('are not taken to be away where a run breaks off after its first rows', async () => {
    const { run, told } = world({ name: 'a', ends: [LOST] })
    const sink = { begin: () => undefined, row: () => true, rowCount: () => 7 }
    await run({ open: () => ({ sink, finish: () => undefined, isOut: () => true }) })
    expect(told).to.deep.equal([])
  })

  it('make a run whose connection was lost once more, on a new one', async () => {
    const { run, asked, told, waits } = world({ name: 'a', ends: [LOST] })
    expect([await run(), asked]).to.deep.equal(['ok', ['a', 'a']])
    expect(told).to.deep.equal(['a failed', 'a drops', 'a answered'])
    expect(waits).to.deep.equal([300])
  })

  it('tries a connection that the server ended on purpose again at once', async () => {
    const { run, asked, waits } = world({ name: 'a', ends: [{ error: withCode('57P01') }] })
    expect([await run(), asked, waits]).to.deep.equal(['ok', ['a', 'a'], []])
  })

  it('go elsewhere at once where no connection can be made, and nowhere where there is no elsewhere', async () => {
    const two = world({ name: 'a', ends: [REFUSED] }, { name: 'b', load: 1 })
    expect([await two.run(), two.asked, two.waits]).to.deep.equal(['ok', ['a', 'b'], []])
    const one = world({ name: 'a', ends: [REFUSED] })
    expect([await one.run(), one.asked]).to.deep.equal(['replica_unavailable', ['a']])
  })

  it('go elsewhere from a server that turns out to take writes', async () => {
    const writable = { error: new WritableServerError(), before: true }
    const { run, asked, told } = world({ name: 'a', ends: [writable] }, { name: 'b', load: 1 })
    expect([await run(), asked]).to.deep.equal(['ok', ['a', 'b']])
    expect(told).to.deep.equal(['a is looked at', 'b answered'])
  })

  it('go elsewhere from a server that is full, which is away where no connection is left', async () => {
    const full = { error: withCode('53300'), before: true }
    const { run, asked, told } = world(
      { name: 'a', ends: [full] },
      { name: 'b', load: 1, connected: false, ends: [full] },
    )
    expect([await run(), asked]).to.deep.equal(['replica_unavailable', ['a', 'b']])
    expect(told).to.deep.equal(['b failed'])
  })

  it('have a run wait for its turn on a server that is full, where there is no other', async () => {
    const full = { error: withCode('53300'), before: true }
    const { run, asked, waits, told } = world({ name: 'a', ends: [full] })
    expect([await run(), asked, waits]).to.deep.equal(['ok', ['a', 'a'], []])
    expect(told).to.deep.equal(['a answered'])
    const late = world({ name: 'a', ends: [{ ...full, ms: 5000 }] })
    expect(await late.run(), 'after a wait that is longer than its statement may take').to.equal(
      'ok',
    )
    const often = world({ name: 'a', ends: [full, full, full] })
    expect([await often.run(), often.asked.length], 'while its first are being made').to.deep.equal(
      ['ok', 4],
    )
    const endless = world({ name: 'a', ends: Array.from({ length: 99 }, () => full) })
    expect([await endless.run(), endless.asked.length]).to.deep.equal(['replica_unavailable', 21])
    expect(endless.waits.length, 'pauses').to.equal(19)
    const shut = world({ name: 'a', connected: false, ends: [full] })
    expect([await shut.run(), shut.asked]).to.deep.equal(['replica_unavailable', ['a']])
  })

  for (const [code, problem] of [
    ['57014', 'report_timeout'],
    ['42P01', 'internal_error'],
    ['53400', 'result_too_large'],
    ['55P03', 'replica_unavailable'],
  ] as const) {
    it(`do not make a run once more after ${code}`, async () => {
      const { run, asked } = world(
        { name: 'a', ends: [{ error: withCode(code) }] },
        { name: 'b', load: 1 },
      )
      expect([await run(), asked]).to.deep.equal([problem, ['a']])
    })
  }

  it('are looked at at once where one has runs under way and says nothing', async () => {
    const quiet = world({ name: 'a', quiet: true })
    await quiet.run()
    expect(quiet.told, 'the first run').to.deep.equal(['a answered'])
    await Promise.all([quiet.run(), quiet.run(), world({ name: 'a' }).run()])
    expect(quiet.told).to.include('a is looked at')
  })

  it('make no more than a tenth of all runs once more, beside ten saved up', async () => {
    const ends = Array.from({ length: 1000 }, () => LOST)
    const { run, asked } = world({ name: 'a', ends })
    for (let count = 0; count < 200; count += 1) await run()
    expect(asked).to.have.length(200 + 10 + 20 - 1)
  })

  it('go elsewhere as often as no connection is to be had', async () => {
    const { run, asked } = world(
      { name: 'a', ends: Array.from({ length: 100 }, () => REFUSED) },
      { name: 'b', load: 1 },
    )
    for (let count = 0; count < 100; count += 1) expect(await run()).to.equal('ok')
    expect(asked).to.have.length(200)
  })
})
