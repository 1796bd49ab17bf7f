import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { DatabaseError } from 'pg'
import type { StatementText } from '../../src/definitions/definition.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createStop } from '../../src/model/stop.ts'
import { createAdmission } from '../../src/serve/database/admission.ts'
import {
  classifyError,
  transportError,
  UnsuitableServerError,
} from '../../src/serve/database/classify-error.ts'
import { createExecute } from '../../src/serve/database/execute.ts'
import type { SessionPool } from '../../src/serve/database/pool.ts'
import type { Replica } from '../../src/serve/database/replica.ts'
import { readHex } from './rows.ts'
import { casesOf } from './table.ts'
import type { ReportStatement } from '../../src/serve/database/rows.ts'

const withCode = (code: string) =>
  Object.assign(new DatabaseError(`from PostgreSQL ${code}`, 0, 'error'), { code })

/** The end of an attempt. */
interface End {
  readonly error: unknown
  readonly ms?: number
  /** Time of the reader before it. */
  readonly readMs?: number
}

interface Told {
  readonly name: string
  readonly load?: number
  readonly lagSeconds?: number | undefined
  readonly ageMs?: number
  readonly usable?: boolean
  readonly open?: boolean
  readonly paused?: boolean
  readonly connected?: boolean
  /** Ends of its executions, in turn; later ones succeed. */
  readonly ends?: readonly End[]
}

/** Simulated replicas: tests check which of them executes, and when. */
function world(...all: readonly Told[]) {
  let nowMs = 0
  const asked: string[] = []
  const waits: number[] = []
  const facts: Observation[] = []
  const now = () => nowMs

  function executeOn({ name }: Told, ends: End[]): Replica['reports']['execute'] {
    return async ({ slot, read }) => {
      asked.push(name)
      const end = ends.shift()
      nowMs += end?.ms ?? 0
      await nextTurn()
      slot.release()
      if (end && end.readMs === undefined) throw end.error
      const rows = { fields: [], dataAsOf: undefined, first: Buffer.alloc(0), isWhole: true }
      const result = read({ ...rows, next: async () => undefined })
      nowMs += end?.readMs ?? 0
      if (end) throw end.error
      return result
    }
  }

  const replicas = all.map((one): Replica => {
    const pool = { count: () => (one.connected === false ? 0 : 1) }
    const ignored = () => {}
    return {
      name: one.name,
      health: {
        state: () => (one.open === true ? 'excluded' : 'usable'),
        reason: () => new Error('it stopped'),
      } as Partial<Replica['health']> as Replica['health'],
      probe: {
        probe: ignored,
        stateAgeMs: () => one.ageMs ?? 0,
        state: () => ({
          inRecovery: one.usable ?? true,
          usable: one.usable ?? true,
          dataAsOf: undefined,
          lagSeconds: 'lagSeconds' in one ? one.lagSeconds : 0,
          replayPaused: one.paused ?? false,
        }),
      } as Partial<Replica['probe']> as Replica['probe'],
      noteFailure: ignored,
      reports: {
        sessions: pool as unknown as SessionPool,
        execute: executeOn(one, [...(one.ends ?? [])]),
        withSession: work => work(async () => []),
      },
    } as Partial<Replica> as Replica
  })
  const admission = createAdmission<Replica>({
    replicas,
    slotsOf: () => 100,
    queueTimeoutMs: 1000,
    now,
  })
  const execute = createExecute({
    replicas,
    admission,
    observe: fact => void facts.push(fact),
    now,
    reportsMaxLagMs: 60_000,
    loadOf: ({ name }) => all.find(one => one.name === name)?.load ?? 0,
    random: () => 0.5,
    wait: async ms => void waits.push(ms),
  })
  async function run(over: Partial<ReportStatement> = {}): Promise<string> {
    const statement = {
      name: 'x',
      organizationId: '1',
      similarityKey: '1',
      text: '' as StatementText,
      commentedText: '',
      preparedName: '',
      values: [],
      timeoutMs: 1000,
      ...over,
    }
    try {
      await execute(statement, createStop(), readHex)
      return 'ok'
    } catch (error) {
      return classifyError(error).code
    }
  }
  return { run, asked, waits, facts }
}

const ERRORS: Readonly<Record<string, unknown>> = {
  lost: transportError(new Error('Connection terminated unexpectedly')),
  writable: new UnsuitableServerError('writable'),
}

/** `40001`, `40001@400` after 400 ms, `20*lost` 20 times. */
function endsOf(text: string): readonly End[] {
  return text.split(' ').flatMap(one => {
    const [, count = '1', code = '', ms = '0'] = /^(?:(\d+)\*)?(\w+)(?:@(\d+))?$/.exec(one)!
    const end = { error: ERRORS[code] ?? withCode(code), ms: Number(ms) }
    return Array.from({ length: Number(count) }, () => end)
  })
}

/** For replica a, with a busier replica b: ends of executions on a, attempts, the result, pauses. */
const RETRIES = `
  after a conflict on the other replica, later          | 40001         | a b | ok                  | 1
  at once on the other if no connection can be made     | lost         | a b | ok                  | 0
  at once on the other if the server takes writes       | writable     | a b | ok                  | 0
  at once on the other if the server is full            | 53300        | a b | ok                  | 0
  not after a time-out                                  | 57014         | a   | report_timeout      | 0
  not after an error of the definition                  | 42P01         | a   | internal_error      | 0
  not if its temporary files are too large              | 53400         | a   | result_too_large    | 0
  not if it did not get a lock in time                  | 55P03         | a   | replica_unavailable | 0
`
/** The same without replica b. */
const RETRIES_ALONE = `
  on the same replica after a conflict, but only once             | 3*40001       | a a     | replica_unavailable | 1
  on the same replica if its connection could not be made         | lost         | a a     | ok                  | 0
  but only once                                                   | 3*lost       | a a     | replica_unavailable | 0
  at once when it is its turn on a full server                    | 53300        | a a     | ok                  | 0
  on a full server after longer than its statement may take       | 53300@5000   | a a     | ok                  | 0
  on a full server while connections are being made               | 3*53300      | a a a a | ok                  | 2
`

describe('an execution is retried', () => {
  for (const [table, others] of [
    [RETRIES, [{ name: 'b', load: 1 }]],
    [RETRIES_ALONE, []],
  ] as const) {
    for (const [title = '', ends = '', expected, result, pauses] of casesOf(table)) {
      it(title, async () => {
        const { run, asked, waits } = world({ name: 'a', ends: endsOf(ends) }, ...others)
        expect(await run()).to.equal(result)
        expect(asked.join(' ')).to.equal(expected)
        expect(waits).to.deep.equal(Array(Number(pauses)).fill(300))
      })
    }
  }

  it('on a full server at most 20 times, and once without an open connection', async () => {
    const endless = world({ name: 'a', ends: endsOf('99*53300') })
    expect([await endless.run(), endless.asked.length]).to.deep.equal(['replica_unavailable', 21])
    expect(endless.waits.length, 'pauses').to.equal(19)
    const shut = world({ name: 'a', connected: false, ends: endsOf('99*53300') })
    expect([await shut.run(), shut.asked.length]).to.deep.equal(['replica_unavailable', 2])
  })

  it('unless the server has used up the timeout; the time of the reader does not count', async () => {
    const error = ERRORS['lost']
    const slow = world({ name: 'a', ends: [{ error, ms: 1000 }] })
    expect(await slow.run({ timeoutMs: 1000 })).to.equal('replica_unavailable')
    const busy = world({ name: 'a', ends: [{ error, ms: 900, readMs: 60_000 }] })
    expect(await busy.run({ timeoutMs: 1000 })).to.equal('ok')
  })

  it('on another replica whenever no connection can be made', async () => {
    const { run, asked } = world({ name: 'a', ends: endsOf('100*lost') }, { name: 'b', load: 1 })
    for (let count = 0; count < 100; count += 1) expect(await run()).to.equal('ok')
    expect(asked).to.have.length(200)
  })
})

describe('an execution', () => {
  it('goes to the least busy replica', async () => {
    const { run, asked } = world(
      { name: 'a', load: 3 },
      { name: 'b', load: 1 },
      { name: 'c', load: 2 },
    )
    expect([await run(), asked]).to.deep.equal(['ok', ['b']])
  })

  it('goes to a replica that is far behind or of unknown lag only after the others, and to the freshest of these', async () => {
    const late = [
      { name: 'unknown', lagSeconds: undefined },
      { name: 'paused', lagSeconds: 660 },
      { name: 'late', load: 9, lagSeconds: 61 },
    ]
    const { run: runPaused, asked: askedPaused } = world(
      { name: 'a', paused: true },
      { name: 'b', load: 9 },
    )
    expect([await runPaused(), askedPaused]).to.deep.equal(['ok', ['b']])
    const { run, asked } = world(...late, { name: 'fresh', load: 9, lagSeconds: 59 })
    expect([await run(), asked]).to.deep.equal(['ok', ['fresh']])
    const without = world(...late)
    expect([await without.run(), without.asked]).to.deep.equal(['ok', ['late']])
  })

  it('avoids replicas that are writable, unreachable or too far behind', async () => {
    const { run, asked } = world(
      { name: 'a', usable: false },
      { name: 'b', open: true },
      { name: 'c', lagSeconds: 4, ageMs: 1001 },
      { name: 'd', lagSeconds: undefined },
      { name: 'e', load: 9, lagSeconds: 4, ageMs: 1000 },
    )
    expect([await run({ maxLagMs: 5000 }), asked]).to.deep.equal(['ok', ['e']])
  })

  it('without a usable replica is logged, with the reason for each', async () => {
    const { run, facts } = world({ name: 'a', open: true }, { name: 'b', lagSeconds: 7 })
    expect(await run({ maxLagMs: 5000 })).to.equal('replica_unavailable')
    const [fact] = facts
    expect(fact).to.include({ kind: 'execution', definition: 'x', outcome: 'unavailable' })
    expect((fact as { error?: Error }).error?.message).to.equal(
      'no replica: a: no connection for reports: it stopped; b: may be 7 s behind, where 5 s are allowed',
    )
    expect(await run(), 'without a limit').to.equal('ok')
  })
})
