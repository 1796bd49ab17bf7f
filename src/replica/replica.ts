/**
 * The replica that reports run on: a slot, a connection, a run, and what the probe saw last. Knows
 * pg; knows neither Koa, the cache nor formats.
 */
import type { ClientBase } from 'pg'
import { Problem } from '../errors.ts'
import type { Observe, Plan, PoolUse, ReplicaState, RunOutcome } from '../observation.ts'
import type { Clock, Milliseconds } from '../terms.ts'
import { checkOut, unlessLeft } from './check-out.ts'
import { classifyError, replicaProblem } from './classify-error.ts'
import { openSession } from './open-session.ts'
import { usePlans } from './plan-cache-mode.ts'
import { createPlans } from './plans.ts'
import { createPool, destroyConnection, isInRecovery, poolUse } from './pool.ts'
import { createPreparing, NOT_AS_PREPARED } from './prepared.ts'
import { rehearse } from './rehearse.ts'
import type { Refusal, Rehearsal } from './rehearse.ts'
import { runStatement } from './run-statement.ts'
import type { RowSink } from './run-statement.ts'
import type { Prepared } from './session-settings.ts'
import { createSlots } from './slots.ts'
import { setCeiling } from './statement-ceiling.ts'
import { WritableServerError } from './writable-server.ts'

/** An older look at the replica does not tell whether it has been promoted since. */
const TRUSTED_MS: Milliseconds = 3000

export interface ReplicaRun {
  /** `Definition.name`. */
  readonly name: string
  /** Equal for runs that read about as much: of one organization, over periods of like length. */
  readonly alike: string
  readonly text: string
  /** Of this text and no other, 63 bytes at most. */
  readonly preparedName: string
  readonly values: readonly string[]
  readonly timeoutMs: Milliseconds
  /** Not on a replica that may be further behind; undefined is any. */
  readonly maxLagMs?: Milliseconds | undefined
  /** Called once a connection is there, and again where the run is made again: what was read before is void then. */
  readonly open: () => Reading
  /** Nobody wants the answer any more. */
  readonly signal: AbortSignal
}

/** Who takes the rows of one execution. */
export interface Reading {
  readonly sink: RowSink
  /** After the last row; what it throws fails the run. */
  finish(): void
  /** Some of it has been handed on, so that it cannot be read again. */
  isOut(): boolean
}

export interface Runs {
  /**
   * @throws Problem `replica_unavailable`, `overloaded`, `report_timeout`, `internal_error`, or the
   *   one that the sink threw; the signal's reason.
   */
  run(run: ReplicaRun): Promise<void>
}

export interface Replica extends Runs {
  pool(): PoolUse
  /** Runs under way and waiting. */
  load(): number
  /** Makes a connection beside the pool's, and closes it. @throws as pg. */
  reach(): Promise<void>
  /** Drops the connections that nobody uses: the next run makes a new one. */
  dropIdle(): void
  /** Has every statement planned once, for nobody. Never fails. @see rehearse */
  rehearse(rehearsals: readonly Rehearsal[]): Promise<readonly Refusal[] | undefined>
  close(): Promise<void>
}

export function createReplica(options: {
  readonly connectionString: string
  readonly poolSize: number
  readonly connectTimeoutMs: Milliseconds
  readonly queueTimeoutMs: Milliseconds
  /** How many of so many connections may be used now. */
  readonly places?: (max: number) => number
  readonly allowPrimary: boolean
  /** `auto` unless given. */
  readonly prepared?: Prepared
  /** What the probe saw last; undefined until it has seen anything. */
  readonly state: () => ReplicaState | undefined
  readonly stateAgeMs: () => Milliseconds
  readonly observe: Observe
  readonly now: Clock
}): Replica {
  const { poolSize, places = max => max, allowPrimary, state, stateAgeMs, observe, now } = options

  function refuseWritable(inRecovery: boolean): void {
    if (inRecovery || allowPrimary) return
    throw replicaProblem('replica_unavailable', new WritableServerError())
  }

  const preparing = createPreparing(options.prepared)
  const pool = createPool({
    name: 'reports',
    connectionString: options.connectionString,
    max: poolSize,
    connectTimeoutMs: options.connectTimeoutMs,
    ...(options.prepared === undefined ? {} : { prepared: options.prepared }),
    observe,
    accept: server => {
      preparing.connected(server)
      refuseWritable(server.inRecovery)
    },
  })
  const idle = new Set<ClientBase>()
  pool.on('release', (error, client) => void (error ? idle.delete(client) : idle.add(client)))
  pool.on('acquire', client => void idle.delete(client))
  pool.on('remove', client => void idle.delete(client))

  const slots = createSlots({
    max: () => places(poolSize),
    maxWaitMs: options.queueTimeoutMs,
    onFull: waitedMs =>
      replicaProblem('overloaded', new Error(`no free slot for ${Math.round(waitedMs)} ms`)),
    now,
  })

  const plans = createPlans()

  /** @param prepare asked on a connection, which tells whether it keeps what is prepared */
  async function connectAndRun(
    run: ReplicaRun,
    prepare: () => RunPlan,
    opened: (reading: Reading) => void,
  ): Promise<void> {
    const acquiredFrom = now()
    const client = await checkOut(pool, run.signal)
    observe({ kind: 'connection-acquired', pool: 'reports', durationMs: now() - acquiredFrom })
    let broken: Error | undefined
    const onError = (error: Error): void => void (broken = error)
    client.once('error', onError)
    const refused = (code: string): void => {
      preparing.refused(code)
      // why: what else it has prepared may be as old
      if (code === NOT_AS_PREPARED.planChanged) broken = new Error('prepared before a change')
    }
    const { name, plan } = prepare()
    const reading = run.open()
    opened(reading)
    try {
      await unlessLeft(client, run.signal, async () => {
        if (stateAgeMs() > TRUSTED_MS) {
          refuseWritable(await isInRecovery(client, options.connectTimeoutMs))
        }
        // why: behind a pooler a session is everybody's, and its role has the ceiling
        if (name !== undefined) await setCeiling(client, options.connectTimeoutMs)
      })
      const startedAt = now()
      await unlessLeft(client, run.signal, () => usePlans(client, plan, options.connectTimeoutMs))
      await runStatement(client, {
        text: run.text,
        values: run.values,
        timeoutMs: run.timeoutMs,
        dataAsOf: state()?.dataAsOf,
        sink: reading.sink,
        signal: run.signal,
        ...(name === undefined ? {} : { prepared: { name, refused } }),
      })
      plans.ran(run.preparedName, run.alike, plan, now() - startedAt)
      reading.finish()
    } catch (error) {
      plans.failed(run.preparedName, run.alike, plan)
      // why: a cancel request that is still on its way would meet the connection's next statement, so
      // only an error of the statement's own leaves the connection as it was
      if ((error as { severity?: unknown }).severity !== 'ERROR')
        broken ??= new Error('run ended early')
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  function preparedFor({ preparedName, alike }: ReplicaRun): RunPlan {
    const name = preparing.nameOf(preparedName)
    // why: what is prepared for this once has no plan to share
    return { name, plan: name === undefined ? 'own' : plans.planFor(name, alike) }
  }

  return {
    async run(run) {
      let prepared: RunPlan = { name: undefined, plan: 'own' }
      let reading: Reading | undefined
      const queuedAt = now()
      let startedAt = queuedAt
      const report = (outcome: RunOutcome, error?: unknown): void =>
        observe({
          kind: 'run',
          definition: run.name,
          outcome,
          plan: prepared.plan,
          queueMs: startedAt - queuedAt,
          durationMs: now() - startedAt,
          rowCount: reading?.sink.rowCount() ?? 0,
          error,
        })
      let free: (() => void) | undefined
      try {
        const seen = state()
        if (seen) refuseWritable(seen.inRecovery)
        free = await slots.acquire(run.signal)
        startedAt = now()
        await connectAndRun(
          run,
          () => (prepared = preparedFor(run)),
          opened => (reading = opened),
        )
        report('ok')
      } catch (error) {
        // why: who waited may have left, or have been told of a problem, such as that the server is gone
        const left = run.signal.aborted && !(error instanceof Problem)
        const problem = left ? undefined : classifyError(error)
        report(problem ? outcomeOf(problem) : 'cancelled', problem?.cause ?? error)
        throw problem ?? error
      } finally {
        free?.()
      }
    },
    // why: who waits, waits for a slot; there are as many slots as connections
    pool: () => ({ ...poolUse(pool), waiting: slots.waiting() }),
    load: () => slots.inUse() + slots.waiting(),
    async reach() {
      // why: the pool's own may all be taken by runs that hang
      const { close } = await openSession({ ...options, name: 'reports', replicaOnly: false })
      await close()
    },
    dropIdle: () => idle.forEach(destroyConnection),
    rehearse: rehearsals => rehearse(pool, rehearsals),
    close: () => pool.end(),
  }
}

interface RunPlan {
  /** Undefined is prepared for this once. */
  readonly name: string | undefined
  readonly plan: Plan
}

function outcomeOf({ code }: Problem): RunOutcome {
  switch (code) {
    case 'result_too_large':
      return 'too_large'
    case 'report_timeout':
      return 'timeout'
    case 'replica_unavailable':
    case 'overloaded':
      return 'unavailable'
    default:
      return 'error'
  }
}
