/**
 * Sends an admitted execution to the least busy usable replica. This file alone decides about retry and fallback.
 * Knows neither pg nor how a replica executes.
 */
import { Problem } from '../../model/errors.ts'
import type { ExecutionOutcome, Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { Admission, Slot } from './admission.ts'
import {
  classify,
  isAnotherServer,
  isFull,
  replicaProblem,
  transportError,
  wasTerminated,
} from './classify-error.ts'
import type { Remedy } from './classify-error.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { Requested } from './connection-execution.ts'
import type { ReadRows, Replica, ReplicaExecution } from './replica.ts'
import type { RetryBudget } from './retry-budget.ts'
import { usableReplicas, unusableReason } from './replica-choice.ts'
import type { Candidate } from './replica-choice.ts'
import type { OrganizationRequest } from './statement-request.ts'

export interface Member extends Candidate {
  readonly circuit: CircuitBreaker
  readonly replica: Pick<Replica, 'execute' | 'lend' | 'dropIdle' | 'isConnected'>
  /** Starts a probe at once. */
  readonly probeNow: () => void
}

/** The attempts of a request: the caller calls `next` until it has read one to its end. */
export interface Attempts {
  /**
   * The next execution.
   * @throws Problem `replica_unavailable`, `overloaded`, `rate_limited`, `report_timeout` or `internal_error`; the
   *   signal's reason
   */
  next(): Promise<ReplicaExecution>
  /** The caller has read the last execution to its end. */
  succeed(rowCount: number): void
  /**
   * Reading the last execution failed. Resolves if the caller has to retry.
   * @param rowCount rows that were read
   * @throws as `next`
   */
  fail(error: unknown, rowCount: number): Promise<void>
  /** As `fail`, after a byte was sent, so without a retry. @returns what `fail` would throw */
  failSent(error: unknown, rowCount: number): unknown
}

export interface Replicas {
  begin(request: OrganizationRequest, signal: AbortSignal): Attempts
  /** The replica is unreachable: its executions without a result so far fail at once. */
  abandon(name: string): void
  /** Lends a connection to a check, on the first usable replica on which it has a result; undefined if there is none. Never rejects. */
  lend<T>(work: (read: ReadRows) => Promise<T | undefined>): Promise<T | undefined>
}

/** A conflict is retried only if this part of the timeout is left: longer executions delay replay. */
const CONFLICT_TIME_LEFT = 0.6
/** Per request, with `JITTER_MS` between them: about 6 s. */
const MAX_REFUSALS = 20
const JITTER_MS = { least: 100, most: 500 } as const

export function createReplicas(options: {
  readonly members: readonly Member[]
  readonly admission: Pick<Admission<Member>, 'acquire'>
  readonly budget: RetryBudget
  readonly observe: Observe
  readonly now: Clock
  /** Replicas that are further behind rank last. */
  readonly reportsMaxLagMs: Milliseconds
  /** From 0 to 1. */
  readonly random: () => number
  /** Resolves after `ms`, or when the signal aborts. */
  readonly wait: (ms: Milliseconds, signal: AbortSignal) => Promise<void>
}): Replicas {
  const { members, admission, budget, observe, now, random, wait } = options
  const usableWithin = (maxLagMs: Milliseconds | undefined): Member[] =>
    usableReplicas(members, maxLagMs, options)
  const executing = new Map<Member, Set<Attempt>>(members.map(member => [member, new Set()]))
  /** One function for each limit. @see AdmissionRequest */
  const within = new Map<Milliseconds | undefined, () => readonly Member[]>()

  function serversWithin(maxLagMs: Milliseconds | undefined): () => readonly Member[] {
    const known = within.get(maxLagMs) ?? (() => usableWithin(maxLagMs))
    within.set(maxLagMs, known)
    return known
  }

  function noReplica(request: OrganizationRequest): Problem {
    const reasons = members.map(
      member => `${member.name}: ${unusableReason(member, request.maxLagMs)}`,
    )
    return replicaProblem('replica_unavailable', new Error(`no replica: ${reasons.join('; ')}`))
  }

  /** @throws Problem `rate_limited`, `overloaded`; the error of `noServer`; the signal's reason. */
  async function admit(
    request: OrganizationRequest,
    signal: AbortSignal,
    retry: Retry | undefined,
  ): Promise<Slot<Member>> {
    const queuedAt = now()
    try {
      return await admission.acquire({
        organizationId: request.organizationId,
        identity: request.identity,
        servers: retry?.servers ?? serversWithin(request.maxLagMs),
        noServer: retry?.noServer ?? (() => noReplica(request)),
        isRetry: retry !== undefined,
        signal,
      })
    } catch (error) {
      observe({
        kind: 'execution',
        origin: request.origin,
        definition: request.name,
        outcome: queueOutcomeOf(error),
        plan: 'own',
        durationMs: undefined,
        rowCount: 0,
        queueMs: now() - queuedAt,
        error: (error instanceof Problem ? error.cause : undefined) ?? error,
      })
      throw error
    }
  }

  /** Begins an execution on the replica of a slot. The slot is released with the connection. */
  function attempt(slot: Slot<Member>, request: OrganizationRequest, signal: AbortSignal): Attempt {
    const { server: member, queueMs } = slot
    const controller = new AbortController()
    const abort = (): void => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
    const others = executing.get(member)!
    // why: the next probe may be a second away, and until then every new execution would hang
    if (others.size > 0 && member.circuit.isQuiet()) member.probeNow()
    const startedAt = now()
    const requested = member.replica.execute(request, controller.signal, queueMs)
    const entry: Attempt = { member, requested, startedAt, abort: controller, execution: undefined }
    others.add(entry)
    void releaseSlot()
    return entry

    async function releaseSlot(): Promise<void> {
      await requested.released
      others.delete(entry)
      signal.removeEventListener('abort', abort)
      slot.release()
    }
  }

  /** Reports the failure of an attempt to the circuit breaker and the probe. */
  function noteFailure(
    { member, execution }: Attempt,
    { problem, remedy }: ReturnType<typeof classify>,
  ): void {
    const { circuit, replica } = member
    // why: a full server still responds on existing connections
    const isShut = isFull(problem.cause) && !replica.isConnected()
    // why: an attempt that got a response did reach the replica
    if ((remedy === 'transport' || isShut) && execution === undefined) circuit.failed(problem.cause)
    // why: until the probe notices it too, every execution sent there needs a retry
    else if (remedy === 'elsewhere' && !isFull(problem.cause)) member.probeNow()
    else if (remedy === 'conflict' || problem.code === 'internal_error') circuit.responded()
  }

  /** Servers for a retry; undefined if a retry would not help. */
  function retryServers(
    { member, requested }: Attempt,
    error: unknown,
    remedy: Remedy,
    request: OrganizationRequest,
    spentMs: Milliseconds,
  ): (() => readonly Member[]) | undefined {
    const isConnected = requested.isConnected()
    const timeLeft = 1 - spentMs / request.timeoutMs
    if (remedy === 'none' || timeLeft <= 0) return undefined
    if (remedy === 'conflict' && timeLeft < CONFLICT_TIME_LEFT) return undefined
    // why: a server that refuses connections still does a moment later; one that lost a connection may accept another
    const isLost = remedy === 'transport' && isConnected
    const sameHelps = remedy === 'conflict' || isLost || mayTakeAnother(member, error)
    const servers = (): readonly Member[] => {
      const usable = usableWithin(request.maxLagMs)
      const others = usable.filter(one => one !== member)
      return others.length > 0 || !sameHelps ? others : usable
    }
    if (servers().length === 0) return undefined
    // why: an execution that got no connection did not load a replica
    return !isConnected || budget.take() ? servers : undefined
  }

  /** Retries once. If a connection is refused because the server is full or another one, takes another, up to `MAX_REFUSALS` times. */
  function begin(first: OrganizationRequest, signal: AbortSignal): Attempts {
    let request = first
    let retry: Retry | undefined
    let refusals = 0
    let last: Attempt | undefined
    budget.recordExecution()

    async function next(): Promise<ReplicaExecution> {
      for (;;) {
        const current = attempt(await admit(request, signal, retry), request, signal)
        last = current
        try {
          current.execution = await current.requested.started
          current.member.circuit.responded()
          return current.execution
        } catch (error) {
          await decide(current, error)
        }
      }
    }

    /** Resolves if the request is retried. @throws otherwise */
    async function decide(current: Attempt, error: unknown): Promise<void> {
      if (signal.aborted) throw error
      const { member, requested, startedAt } = current
      const classified = classify(error)
      const { problem, remedy } = classified
      noteFailure(current, classified)
      const isRefusal = !requested.isConnected() && mayTakeAnother(member, error)
      if (isRefusal) refusals += 1
      if (refusals > MAX_REFUSALS || (retry !== undefined && !isRefusal)) throw problem
      // why: time spent waiting for a connection is not part of the statement timeout
      const spentMs = requested.isConnected() ? now() - startedAt : 0
      const servers = retryServers(current, error, remedy, request, spentMs)
      if (servers === undefined || remedy === 'none') throw problem
      const { name: definition, origin } = request
      observe({
        kind: 'execution-retried',
        origin,
        replica: member.name,
        definition,
        reason: remedy,
        error: problem,
      })
      if (remedy === 'transport') member.replica.dropIdle()
      // why: a crashed server restarts within a moment
      const hasCrashed = servers()[0] === member && !wasTerminated(error) && !isRefusal
      if (remedy === 'conflict' || hasCrashed || refusals > 1) {
        await wait(JITTER_MS.least + random() * (JITTER_MS.most - JITTER_MS.least), signal)
      }
      const leftMs = request.timeoutMs - (requested.isConnected() ? now() - startedAt : 0)
      request = { ...request, timeoutMs: Math.max(1, leftMs) }
      retry = { servers, noServer: () => problem }
    }

    return {
      next,
      succeed: rowCount => last?.execution?.report(rowCount),
      async fail(error, rowCount) {
        last?.execution?.report(rowCount, error)
        await decide(last!, error)
      },
      failSent(error, rowCount) {
        last?.execution?.report(rowCount, error)
        if (signal.aborted) return error
        const classified = classify(error)
        noteFailure(last!, classified)
        return classified.problem
      },
    }
  }

  return {
    begin,
    abandon(name) {
      const error = Object.assign(new Error('the replica is unreachable'), { code: 'ECONNABORTED' })
      const problem = replicaProblem('replica_unavailable', transportError(error))
      for (const [member, active] of executing) {
        if (member.name !== name) continue
        for (const { execution, abort } of active) if (execution === undefined) abort.abort(problem)
      }
    },
    async lend(work) {
      for (const { replica, circuit } of usableWithin(undefined)) {
        // why: without requests so far, no execution has reported the failure
        const done = await replica.lend(work).catch((error: unknown) => circuit.failed(error))
        if (done !== undefined) return done
      }
      return undefined
    },
  }
}

/** Another connection may be usable: the server is full, but the pool has open ones, or this one led to another server. */
function mayTakeAnother({ replica }: Member, error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error
  return isAnotherServer(cause) || (replica.isConnected() && isFull(cause))
}

/** @param error why no slot was acquired */
function queueOutcomeOf(error: unknown): ExecutionOutcome {
  if (!(error instanceof Problem)) return 'cancelled'
  if (error.code === 'replica_unavailable') return 'unavailable'
  return error.code === 'rate_limited' ? 'refused' : 'queue_timeout'
}

/** One execution on one replica. */
interface Attempt {
  readonly member: Member
  readonly requested: Requested<ReplicaExecution>
  readonly startedAt: Milliseconds
  readonly abort: AbortController
  /** Undefined until the server has begun to send the result. */
  execution: ReplicaExecution | undefined
}

/** Servers for a retry, and the error if there is none. */
interface Retry {
  readonly servers: () => readonly Member[]
  readonly noServer: () => Error
}
