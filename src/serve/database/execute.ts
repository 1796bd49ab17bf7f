/**
 * Executes a statement of an organization on a replica, with one retry. This file alone decides about retry and
 * fallback. Knows neither pg nor how a replica executes.
 */
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import { throwIfStopped, type Stop } from '../../model/stop.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { Slot } from './admission-request.ts'
import type { Admission } from './admission.ts'
import { Attempt, outcomeOf } from './attempt.ts'
import { classify, isAnotherServer, isFull, replicaProblem } from './classify-error.ts'
import type { Replica } from './replica.ts'
import { unusableReason, usableReplicas, type Ranking } from './replica-choice.ts'
import type { ResultHead, ResultReader } from './result-reader.ts'
import type { OrganizationRequest } from './statement-request.ts'

/**
 * @param begin is called once for each attempt that has a result
 * @returns the reader of the attempt that has succeeded
 * @throws Problem `replica_unavailable`, `overloaded`, `rate_limited`, `report_timeout` or `internal_error`; what the
 *   reader throws, as a Problem; the reason of the stop
 */
export type Execute = <R extends ResultReader>(
  request: OrganizationRequest,
  stop: Stop,
  begin: (head: ResultHead) => R,
) => Promise<R>

/** A conflict is retried only if this part of the timeout is left: longer executions delay replay. */
const CONFLICT_TIME_LEFT = 0.6
/** Refused connections per request, with `JITTER_MS` between them: about 6 s. */
const MAX_REFUSALS = 20
/** After this time without a response, an execution beside others asks for a probe. */
const QUIET_MS: Milliseconds = 300
const JITTER_MS = { least: 100, most: 500 } as const

/** How the next attempt is made. */
interface Next {
  readonly servers: () => readonly Replica[]
  /** What is left of that of the request. */
  readonly timeoutMs: Milliseconds
  /** Why the last attempt failed; undefined for the first attempt. */
  readonly problem?: Problem
  /** Connections that were refused, so that nothing was executed. */
  readonly refusalCount: number
}

export function createExecute(
  options: Ranking<Replica> & {
    readonly replicas: readonly Replica[]
    readonly admission: Pick<Admission<Replica>, 'acquire'>
    readonly observe: Observe
    readonly now: Clock
    readonly wait: (ms: Milliseconds) => Promise<void>
  },
): Execute {
  const { replicas, admission, observe, now, random } = options
  /** One function for each limit. @see AdmissionRequest */
  const within = new Map<Milliseconds | undefined, () => readonly Replica[]>()

  function serversWithin(maxLagMs: Milliseconds | undefined): () => readonly Replica[] {
    const known = within.get(maxLagMs)
    if (known !== undefined) return known
    const servers = (): readonly Replica[] => usableReplicas(replicas, maxLagMs, options)
    within.set(maxLagMs, servers)
    return servers
  }

  function noReplica(maxLagMs: Milliseconds | undefined): Problem {
    const reasons = replicas.map(one => `${one.name}: ${unusableReason(one, maxLagMs)}`)
    return replicaProblem('replica_unavailable', new Error(`no replica: ${reasons.join('; ')}`))
  }

  /** @throws Problem `rate_limited`, `overloaded` or of the missing server; the reason of the stop */
  async function admit(
    { organizationId, identity, maxLagMs, name, origin }: OrganizationRequest,
    stop: Stop,
    { servers, problem }: Next,
  ): Promise<Slot<Replica>> {
    const queuedAt = now()
    const noServer = (): Problem => problem ?? noReplica(maxLagMs)
    const isRetry = problem !== undefined
    try {
      return await admission.acquire({ organizationId, identity, servers, noServer, isRetry, stop })
    } catch (error) {
      const refused = error instanceof Problem ? error : undefined
      observe({
        kind: 'execution',
        origin,
        definition: name,
        outcome: outcomeOf(refused),
        plan: 'own',
        durationMs: undefined,
        rowCount: 0,
        queueMs: now() - queuedAt,
        error: refused?.cause ?? error,
      })
      throw error
    }
  }

  /** How a failed attempt is retried. @throws Problem if it is not */
  async function retryOf(
    replica: Replica,
    { client, startedAt }: Pick<Attempt<ResultReader>, 'client' | 'startedAt'>,
    error: unknown,
    { maxLagMs, origin, name }: OrganizationRequest,
    last: Next,
  ): Promise<Next> {
    const { problem, remedy } = classify(error)
    const isConnected = client !== undefined
    const mayTakeAnother = hasOthers(replica, problem.cause)
    replica.noteFailure(error)
    const isRefusal = !isConnected && mayTakeAnother
    const refusalCount = last.refusalCount + Number(isRefusal)
    const isSecond = last.problem !== undefined && !isRefusal
    if (remedy === 'none' || isSecond || refusalCount > MAX_REFUSALS) throw problem
    // why: time spent waiting for a connection is not part of the statement timeout
    const leftMs = last.timeoutMs - (isConnected ? now() - startedAt : 0)
    const neededMs = remedy === 'conflict' ? CONFLICT_TIME_LEFT * last.timeoutMs : 0
    // why: a server that refuses connections still does a moment later; one that lost a connection may accept another
    const isLost = remedy === 'transport' && isConnected
    const sameHelps = remedy === 'conflict' || isLost || mayTakeAnother
    const servers = (): readonly Replica[] => {
      const usable = serversWithin(maxLagMs)()
      const others = usable.filter(one => one !== replica)
      return others.length > 0 || !sameHelps ? others : usable
    }
    if (leftMs <= 0 || leftMs < neededMs || servers().length === 0) throw problem
    const fact = { origin, replica: replica.name, definition: name, reason: remedy, error: problem }
    observe({ kind: 'execution-retried', ...fact })
    if (remedy === 'conflict' || refusalCount > 1)
      await options.wait(JITTER_MS.least + random() * (JITTER_MS.most - JITTER_MS.least))
    return { servers, problem, refusalCount, timeoutMs: Math.max(1, leftMs) }
  }

  return async (request, stop, begin) => {
    throwIfStopped(stop)
    const { maxLagMs, timeoutMs } = request
    let next: Next = { servers: serversWithin(maxLagMs), timeoutMs, refusalCount: 0 }
    for (;;) {
      const slot = await admit(request, stop, next)
      const { server: replica, queueMs } = slot
      // why: the next probe may be a second away, and until then every new execution would hang
      if (replica.attempts.length > 0 && replica.health.isQuiet(QUIET_MS)) replica.probe.probe()
      const attempt = new Attempt(replica.server, {
        request,
        timeoutMs: next.timeoutMs,
        queueMs,
        stop,
        begin,
        onReleased() {
          replica.attempts.splice(replica.attempts.indexOf(attempt), 1)
          slot.release()
        },
      })
      replica.attempts.push(attempt)
      try {
        const reader = await attempt.run()
        replica.health.responded()
        return reader
      } catch (error) {
        throwIfStopped(stop)
        next = await retryOf(replica, attempt, error, request, next)
        throwIfStopped(stop)
      }
    }
  }
}

/** Another connection may be usable: the server is full, but the pool has open ones, or this one led to another server. */
function hasOthers({ server: { pool } }: Replica, cause: unknown): boolean {
  return isAnotherServer(cause) || (isFull(cause) && pool.totalCount > 0)
}
