/** One execution on one connection of a pool: acquired, and released once it is idle, or destroyed. */
import type { ClientBase, Pool } from 'pg'
import { Problem } from '../../model/errors.ts'
import type { Observe, Plan } from '../../model/observation.ts'
import type { Clock, Instant } from '../../model/terms.ts'
import { classify } from './classify-error.ts'
import { checkOut, createReconnectLimit, isIdle } from './connection.ts'
import { execute } from './execution.ts'
import type { Execution } from './execution.ts'
import { createPlans } from './plans.ts'
import { NOT_AS_PREPARED } from './prepared.ts'
import type { Preparing } from './prepared.ts'
import type { StatementRequest } from './statement-request.ts'

export interface ConnectionExecution extends Execution {
  /** The rows show data at least as new as this; undefined is unknown. */
  readonly dataAsOf: Instant | undefined
}

/** An execution that has been asked for. */
export interface Requested<E extends Execution> {
  /** @throws what pg or the transport reported; the signal's reason. */
  readonly started: Promise<E>
  /** Resolves once the connection is given back, or was never had: true if the statement came to its end. */
  readonly released: Promise<boolean>
  /** Whether a connection was had. */
  isConnected(): boolean
  plan(): Plan
}

export type ExecuteOnConnection = (
  request: StatementRequest,
  signal: AbortSignal,
) => Requested<ConnectionExecution>

export function createExecuteOnConnection(options: {
  readonly pool: Pool
  readonly preparing: Preparing
  /** @throws if what is known already says that the server may execute nothing now */
  readonly refuseAtOnce: () => void
  /** @throws if the server may not execute this now; the signal's reason */
  readonly refuseUnfit: (
    client: ClientBase,
    request: StatementRequest,
    signal: AbortSignal,
  ) => Promise<void>
  readonly isPooled: (client: ClientBase) => boolean
  readonly dataAsOf: (client: ClientBase) => Instant | undefined
  readonly observe: Observe
  readonly now: Clock
}): ExecuteOnConnection {
  const { pool, preparing, observe, now } = options
  const plans = createPlans()
  const reconnects = createReconnectLimit()

  return (request, signal) => {
    const { preparedName, alike } = request
    let connected = false
    let plan: Plan = 'own'
    let start!: (execution: ConnectionExecution) => void
    let refuse!: (reason: unknown) => void
    const started = new Promise<ConnectionExecution>((resolve, reject) => {
      start = resolve
      refuse = reject
    })

    async function use(client: ClientBase, lose: (error: Error) => void): Promise<boolean> {
      await options.refuseUnfit(client, request, signal)
      // why: only a connection tells whether it keeps what is prepared, and what is not has no plan to share
      const name = preparing.nameOf(preparedName)
      plan = name === undefined ? 'own' : plans.planFor(name, alike)
      const refused = (code: string): void => {
        preparing.refused(code)
        // why: what else it has prepared may be as old
        if (code === NOT_AS_PREPARED.planChanged) lose(new Error('prepared before a change'))
      }
      const executedFrom = now()
      const execution = execute(
        client,
        {
          text: request.text,
          values: request.values,
          timeoutMs: request.timeoutMs,
          readOnly: true,
          setLocal: plan === 'shared' ? SHARED_PLAN : undefined,
          isPooled: options.isPooled(client),
          ...(name === undefined ? {} : { prepared: { name, refused } }),
        },
        signal,
      )
      let isComplete = true
      await execution.started.then(
        inner => start({ ...inner, dataAsOf: options.dataAsOf(client) }),
        refuse,
      )
      const error = await execution.idle
      if (error === undefined) plans.ran(preparedName, alike, plan, now() - executedFrom)
      else {
        isComplete = false
        plans.failed(preparedName, alike, plan)
        const isCancelled = wasCancelled(error.reason, signal)
        if (!isIdle(client) && isCancelled && !options.isPooled(client)) reconnects.destroyed()
      }
      return isComplete
    }

    async function run(): Promise<boolean> {
      options.refuseAtOnce()
      const acquiredFrom = now()
      const client = await checkOut(pool, signal, reconnects)
      observe({ kind: 'connection-acquired', pool: 'reports', durationMs: now() - acquiredFrom })
      connected = true
      let lost: Error | undefined
      const lose = (error: Error): void => void (lost ??= error)
      client.once('error', lose)
      try {
        return await use(client, lose)
      } finally {
        client.off('error', lose)
        if (!isIdle(client)) lose(new Error('execution ended early'))
        client.release(lost)
      }
    }

    const released = run().catch((error: unknown) => {
      refuse(error)
      return false
    })
    return { started, released, isConnected: () => connected, plan: () => plan }
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
