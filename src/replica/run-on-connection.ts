/** One run on one connection of a pool: taken, told how to plan, read to the end, and given back or dropped. */
import type { ClientBase, Pool } from 'pg'
import type { Observe, Plan } from '../observation.ts'
import type { Clock, Instant, Milliseconds } from '../terms.ts'
import { checkOut, unlessLeft } from './check-out.ts'
import { usePlans } from './plan-cache-mode.ts'
import { createPlans } from './plans.ts'
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
  /** @throws where the server that answers may not be used for this run, now that it is to begin */
  readonly refuseUnfit: (client: ClientBase, run: ReplicaRun) => Promise<void>
  readonly connectTimeoutMs: Milliseconds
  readonly dataAsOf: (client: ClientBase) => Instant | undefined
  readonly observe: Observe
  readonly now: Clock
}): RunOnConnection {
  const { pool, preparing, connectTimeoutMs, observe, now } = options
  const plans = createPlans()

  return async (run, progress) => {
    const { preparedName, alike, signal } = run
    const acquiredFrom = now()
    const client = await checkOut(pool, signal)
    observe({ kind: 'connection-acquired', pool: 'reports', durationMs: now() - acquiredFrom })
    let broken: Error | undefined
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
    let startedAt = acquiredFrom
    try {
      const reading = (progress.reading = run.open())
      await unlessLeft(client, signal, async () => {
        await options.refuseUnfit(client, run)
        startedAt = now()
        await usePlans(client, plan, connectTimeoutMs)
      })
      await runStatement(client, {
        text: run.text,
        values: run.values,
        timeoutMs: run.timeoutMs,
        dataAsOf: options.dataAsOf(client),
        sink: reading.sink,
        signal,
        ...(name === undefined ? {} : { prepared: { name, refused } }),
      })
      plans.ran(preparedName, alike, plan, now() - startedAt)
      reading.finish()
    } catch (error) {
      plans.failed(preparedName, alike, plan)
      // why: a cancel request that is still on its way would meet the connection's next statement, so
      // only an error of the statement's own leaves the connection as it was
      if (!leavesAsItWas(client, error)) broken ??= new Error('run ended early')
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }
}

/** Whether it is a statement's own error, after which the connection takes the next. */
function leavesAsItWas(client: ClientBase, error: unknown): boolean {
  const { severity } = error as { severity?: unknown }
  if (severity === undefined || severity === 'ERROR') return severity !== undefined
  // why: a server speaks the language of its lc_messages; after what is fatal it is never ready
  return (client as unknown as { readonly readyForQuery?: boolean | null }).readyForQuery === true
}
