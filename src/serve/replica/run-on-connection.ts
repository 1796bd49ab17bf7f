/** One execution on one connection of a pool: acquired, read to the end, and released or destroyed. */
import type { ClientBase, Pool } from 'pg'
import { Problem } from '../../model/errors.ts'
import type { Observe, Plan } from '../../model/observation.ts'
import type { Clock, Instant } from '../../model/terms.ts'
import { checkOut } from './check-out.ts'
import { classify } from './classify-error.ts'
import { isIdle } from './connection-state.ts'
import { createPlans } from './plans.ts'
import { createReconnectLimit } from './reconnect-limit.ts'
import { NOT_AS_PREPARED } from './prepared.ts'
import type { Preparing } from './prepared.ts'
import type { Reading, ReplicaRun } from './replica-run.ts'
import { runStatement } from './run-statement.ts'

/** What is known of a run, however it ends. */
export interface Progress {
  plan: Plan
  /** Undefined until a connection was there. */
  reading: Reading | undefined
}

/** @throws what pg, the transport or the sink reported; the signal's reason. */
export type RunOnConnection = (run: ReplicaRun, progress: Progress) => Promise<void>

export function createRunOnConnection(options: {
  readonly pool: Pool
  readonly preparing: Preparing
  /** @throws if the server may not execute this run now; the run's signal's reason */
  readonly refuseUnfit: (client: ClientBase, run: ReplicaRun) => Promise<void>
  readonly isPooled: (client: ClientBase) => boolean
  readonly dataAsOf: (client: ClientBase) => Instant | undefined
  readonly observe: Observe
  readonly now: Clock
}): RunOnConnection {
  const { pool, preparing, observe, now } = options
  const plans = createPlans()
  const reconnects = createReconnectLimit()

  return async (run, progress) => {
    const { preparedName, alike, signal } = run
    const acquiredFrom = now()
    const client = await checkOut(pool, signal, reconnects)
    observe({ kind: 'connection-acquired', pool: 'reports', durationMs: now() - acquiredFrom })
    let broken: Error | undefined
    let isCancelled = false
    const onError = (error: Error): void => void (broken = error)
    client.once('error', onError)
    const refused = (code: string): void => {
      preparing.refused(code)
      // why: what else it has prepared may be as old
      if (code === NOT_AS_PREPARED.planChanged) broken = new Error('prepared before a change')
    }
    // why: only a connection tells whether it keeps what is prepared, and what is not has no plan to share
    const name = preparing.nameOf(preparedName)
    const plan = name === undefined ? 'own' : plans.planFor(name, alike)
    progress.plan = plan
    const isPooled = options.isPooled(client)
    let startedAt = acquiredFrom
    try {
      const reading = (progress.reading = run.open())
      await options.refuseUnfit(client, run)
      startedAt = now()
      await runStatement(client, {
        text: run.text,
        values: run.values,
        timeoutMs: run.timeoutMs,
        dataAsOf: options.dataAsOf(client),
        sink: reading.sink,
        signal,
        readOnly: true,
        setLocal: plan === 'shared' ? SHARED_PLAN : undefined,
        isPooled,
        ...(name === undefined ? {} : { prepared: { name, refused } }),
      })
      plans.ran(preparedName, alike, plan, now() - startedAt)
      reading.finish()
    } catch (error) {
      plans.failed(preparedName, alike, plan)
      isCancelled = wasCancelled(error, signal)
      throw error
    } finally {
      client.off('error', onError)
      if (!isIdle(client)) {
        broken ??= new Error('execution ended early')
        if (isCancelled && !isPooled) reconnects.destroyed()
      }
      client.release(broken)
    }
  }
}

/** @see https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-PLAN-CACHE-MODE */
const SHARED_PLAN = 'set local plan_cache_mode = force_generic_plan'

/** By a client or a deadline. */
function wasCancelled(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return error instanceof Problem && error.code === 'report_timeout'
  // why: if the connection to the server broke, the circuit breaker limits new sessions
  return classify(error).remedy !== 'transport'
}
