/** One execution on a connection of a pool. The connection is released once it is idle, or destroyed. */
import type { ClientBase, Pool } from 'pg'
import { Problem } from '../../model/errors.ts'
import type { Observe, PlanKind } from '../../model/observation.ts'
import type { Clock, Instant } from '../../model/terms.ts'
import { classify } from './classify-error.ts'
import { checkOut, createReconnectLimit, isIdle } from './connection.ts'
import { execute } from './execution.ts'
import type { Execution } from './execution.ts'
import { createPlans } from './plans.ts'
import { PREPARED_ERRORS } from './prepared.ts'
import type { PreparedStatements } from './prepared.ts'
import type { StatementRequest } from './statement-request.ts'

export interface ConnectionExecution extends Execution {
  /** The data are at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
}

/** A requested execution. */
export interface Requested<E extends Execution> {
  /** @throws what pg or the transport reported; the signal's reason. */
  readonly started: Promise<E>
  /** Resolves once the connection is released, if there was one. */
  readonly released: Promise<void>
  /** Whether a connection was acquired. */
  isConnected(): boolean
  plan(): PlanKind
  /** Process id of the PostgreSQL backend; undefined without a connection, and behind a pooler. */
  backendPid(): number | undefined
}

export type ExecuteOnConnection = (
  request: StatementRequest,
  signal: AbortSignal,
) => Requested<ConnectionExecution>

export function createExecuteOnConnection(options: {
  readonly pool: Pool
  readonly statements: PreparedStatements
  /** @throws if the known state of the server forbids any execution */
  readonly refuseAtOnce: () => void
  /** @throws if the server must not execute this request; the signal's reason */
  readonly refuseUnsuitable: (
    client: ClientBase,
    request: StatementRequest,
    signal: AbortSignal,
  ) => Promise<void>
  readonly isPooled: (client: ClientBase) => boolean
  /** @see ServerCheck.guardOf */
  readonly guardOf: (client: ClientBase) => string | undefined
  readonly dataAsOf: (client: ClientBase) => Instant | undefined
  readonly observe: Observe
  readonly now: Clock
}): ExecuteOnConnection {
  const { pool, statements, observe, now } = options
  const plans = createPlans()
  const reconnects = createReconnectLimit()
  pool.on('connect', () => reconnects.made())

  return (request, signal) => {
    const { preparedName, similarityKey, origin } = request
    let connected = false
    let backendPid: number | undefined
    let plan: PlanKind = 'own'
    let start!: (execution: ConnectionExecution) => void
    let refuse!: (reason: unknown) => void
    const started = new Promise<ConnectionExecution>((resolve, reject) => {
      start = resolve
      refuse = reject
    })

    function limitReplacement(client: ClientBase, error: unknown): void {
      const isDestroyed = !isIdle(client) && !options.isPooled(client)
      if (isDestroyed && wasCancelled(error, signal)) reconnects.destroyed()
    }

    async function use(client: ClientBase, lose: (error: Error) => void): Promise<void> {
      await options.refuseUnsuitable(client, request, signal)
      // why: only a connection shows whether it supports prepared statements; without them no plan is shared
      const name = statements.nameOf(preparedName)
      plan = name === undefined ? 'own' : plans.planFor(name, similarityKey)
      const refused = (code: string): void => {
        statements.refused(code)
        // why: its other prepared statements may be stale, too
        if (code === PREPARED_ERRORS.planChanged) lose(new Error('prepared before a change'))
      }
      // why: what is probed while the statement executes may be newer than its snapshot
      const dataAsOf = options.dataAsOf(client)
      const executedFrom = now()
      const execution = execute(
        client,
        {
          text: sentText(request),
          values: request.values,
          timeoutMs: request.timeoutMs,
          readOnly: true,
          before: [options.guardOf(client), plan === 'shared' ? SHARED_PLAN : undefined],
          isPooled: options.isPooled(client),
          ...(name === undefined ? {} : { prepared: { name, refused } }),
        },
        signal,
      )
      await execution.started.then(inner => start({ ...inner, dataAsOf }), refuse)
      const error = await execution.idle
      if (error === undefined)
        plans.completed(preparedName, similarityKey, plan, now() - executedFrom)
      else {
        plans.failed(preparedName, similarityKey, plan)
        limitReplacement(client, error.reason)
      }
    }

    async function run(): Promise<void> {
      options.refuseAtOnce()
      const acquiredFrom = now()
      const client = await checkOut(pool, signal, reconnects)
      connected = true
      backendPid = options.isPooled(client) ? undefined : backendPidOf(client)
      const durationMs = now() - acquiredFrom
      observe({ kind: 'connection-acquired', pool: 'reports', durationMs, origin, backendPid })
      let lost: Error | undefined
      const lose = (error: Error): void => void (lost ??= error)
      client.once('error', lose)
      try {
        await use(client, lose)
      } catch (error) {
        limitReplacement(client, error)
        throw error
      } finally {
        client.off('error', lose)
        if (!isIdle(client)) lose(new Error('execution ended early'))
        client.release(lost)
      }
    }

    const released = run().catch(refuse)
    return {
      started,
      released,
      isConnected: () => connected,
      plan: () => plan,
      backendPid: () => backendPid,
    }
  }
}

/** @see https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-PLAN-CACHE-MODE */
const SHARED_PLAN = 'set local plan_cache_mode = force_generic_plan'

/** pg's types omit it. */
function backendPidOf(client: ClientBase): number | undefined {
  return (client as unknown as { readonly processID: number | null }).processID ?? undefined
}

/** Whether the client or the deadline cancelled the execution. */
function wasCancelled(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return error instanceof Problem && error.code === 'report_timeout'
  // why: if the connection to the server broke, the circuit breaker limits new sessions
  return classify(error).remedy !== 'transport'
}

function sentText({ text, comment, origin }: StatementRequest): string {
  return comment === undefined || origin === undefined ? text : `${comment} ${text}`
}
