/**
 * All replicas as one: an execution goes to the least busy replica that may have it, once it is admitted. What
 * is retried, and where, is decided here alone. Knows no pg, and not how one replica executes.
 */
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { AdmissionQueue, Slot } from './admission-queue.ts'
import { classify, isFull, replicaProblem, wasEnded } from './classify-error.ts'
import type { Remedy } from './classify-error.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { Requested } from './connection-execution.ts'
import type { Replica, ReplicaExecution } from './replica.ts'
import type { RetryBudget } from './retry-budget.ts'
import { usableReplicas, whyNot } from './replica-choice.ts'
import type { Candidate } from './replica-choice.ts'
import type { OrganizationRequest } from './statement-request.ts'

export interface Member extends Candidate {
  readonly circuit: CircuitBreaker
  readonly replica: Pick<Replica, 'execute' | 'rehearse' | 'dropIdle' | 'isConnected'>
  /** Has the probe look at once. */
  readonly look: () => void
}

/** How a request is executed: `next` until one attempt has been read to its end. */
export interface Attempts {
  /**
   * The next execution.
   * @throws Problem `replica_unavailable`, `overloaded`, `rate_limited`, `report_timeout` or `internal_error`; the
   *   signal's reason
   */
  next(): Promise<ReplicaExecution>
  /** The last execution has been read to its end. */
  succeed(rowCount: number): void
  /**
   * The last execution could not be read to its end. Resolves if it is to be tried again.
   * @param rowCount that has been read
   * @throws as `next`
   */
  fail(error: unknown, rowCount: number): Promise<void>
  /** The same once a byte has been sent, so that nothing is tried again. @returns what `fail` would throw */
  failSent(error: unknown, rowCount: number): unknown
}

export interface Replicas extends Pick<Replica, 'rehearse'> {
  begin(request: OrganizationRequest, signal: AbortSignal): Attempts
  /** The way to a replica is broken: what executes there and has given nothing yet fails at once. */
  abandon(name: string): void
}

/** A conflict is tried again only with so much of the time left: longer runs hold replay back. */
const CONFLICT_TIME_LEFT = 0.6
/** Of one request, with `JITTER_MS` between them: some 6 s. */
const MAX_REFUSALS = 20
const JITTER_MS = { least: 100, most: 500 } as const

export function createReplicas(options: {
  readonly members: readonly Member[]
  readonly admission: Pick<AdmissionQueue<Member>, 'acquire'>
  readonly budget: RetryBudget
  readonly observe: Observe
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
  /** Resolves after so long, or when the signal aborts. */
  readonly wait: (ms: Milliseconds, signal: AbortSignal) => Promise<void>
}): Replicas {
  const { members, admission, budget, observe, now, random, wait } = options
  const executing = new Map<Member, Set<Attempt>>(members.map(member => [member, new Set()]))

  function noReplica({ maxLagMs }: OrganizationRequest): Problem {
    const reasons = members.map(member => `${member.name} ${whyNot(member, maxLagMs)}`)
    return replicaProblem('replica_unavailable', new Error(`no replica: ${reasons.join('; ')}`))
  }

  /** @throws Problem `rate_limited`, `overloaded`, or what `noServer` makes; the signal's reason. */
  async function admit(
    request: OrganizationRequest,
    signal: AbortSignal,
    retry: Retry | undefined,
  ): Promise<Slot<Member>> {
    const queuedAt = now()
    try {
      return await admission.acquire({
        organizationId: request.organizationId,
        definition: request.name,
        alike: request.alike,
        identity: request.identity,
        servers: retry?.servers ?? (() => usableReplicas(members, request.maxLagMs, random)),
        noServer: retry?.noServer ?? (() => noReplica(request)),
        isRetry: retry !== undefined,
        signal,
      })
    } catch (error) {
      const { code, cause } = error instanceof Problem ? error : {}
      const refusal = code === 'replica_unavailable' ? 'unavailable' : 'refused'
      observe({
        kind: 'run',
        definition: request.name,
        outcome: code === undefined ? 'cancelled' : refusal,
        plan: 'own',
        durationMs: undefined,
        rowCount: 0,
        queueMs: now() - queuedAt,
        error: cause ?? error,
      })
      throw error
    }
  }

  /** Begins an execution on the replica of a slot, which is released with its connection. */
  function attempt(slot: Slot<Member>, request: OrganizationRequest, signal: AbortSignal): Attempt {
    const { server: member, queueMs } = slot
    const own = new AbortController()
    const abort = (): void => own.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
    const others = executing.get(member)!
    // why: the probe's next look may be a second away, and every execution until then would hang with these
    if (others.size > 0 && member.circuit.isQuiet()) member.look()
    const startedAt = now()
    const requested = member.replica.execute(request, own.signal, queueMs)
    const one: Attempt = { member, requested, startedAt, abort: own, execution: undefined }
    others.add(one)
    void releaseSlot()
    return one

    async function releaseSlot(): Promise<void> {
      const isComplete = await requested.released
      others.delete(one)
      signal.removeEventListener('abort', abort)
      slot.release(isComplete)
    }
  }

  /** Tells the circuit breaker and the probe what an attempt has come to. */
  function noteFailure(
    { member, execution }: Attempt,
    { problem, remedy }: ReturnType<typeof classify>,
  ): void {
    const { circuit, replica } = member
    // why: a server that is full answers on what connections we have
    const isShut = isFull(problem.cause) && !replica.isConnected()
    // why: whoever has had a response has had a way to the replica
    if ((remedy === 'transport' || isShut) && execution === undefined) circuit.failed(problem.cause)
    // why: until the probe has seen it, too, every execution that goes there is made twice
    else if (remedy === 'elsewhere' && !isFull(problem.cause)) member.look()
    else if (remedy === 'conflict' || problem.code === 'internal_error') circuit.answered()
  }

  /** Where to retry; undefined if that would not help. */
  function retryServers(
    { member, requested }: Attempt,
    error: unknown,
    remedy: Remedy,
    { timeoutMs, maxLagMs }: OrganizationRequest,
    spentMs: Milliseconds,
  ): (() => readonly Member[]) | undefined {
    const isConnected = requested.isConnected()
    const timeLeft = 1 - spentMs / timeoutMs
    if (remedy === 'none' || timeLeft <= 0) return undefined
    if (remedy === 'conflict' && timeLeft < CONFLICT_TIME_LEFT) return undefined
    // why: a server that takes no connection takes none a moment later; one that lost one may
    const isLost = remedy === 'transport' && isConnected
    const sameHelps = remedy === 'conflict' || isLost || isFullButConnected(member, error)
    const servers = (): readonly Member[] => {
      const usable = usableReplicas(members, maxLagMs, random)
      const others = usable.filter(one => one !== member)
      return others.length > 0 || !sameHelps ? others : usable
    }
    if (servers().length === 0) return undefined
    // why: an execution that had no connection has cost no replica anything
    return !isConnected || budget.take() ? servers : undefined
  }

  /** Retries once. If a full server refuses one more connection, waits for one of ours up to `MAX_REFUSALS` times. */
  function begin(first: OrganizationRequest, signal: AbortSignal): Attempts {
    let request = first
    let retry: Retry | undefined
    let refusals = 0
    let last: Attempt | undefined
    budget.ran()

    async function next(): Promise<ReplicaExecution> {
      for (;;) {
        const one = attempt(await admit(request, signal, retry), request, signal)
        last = one
        try {
          one.execution = await one.requested.started
          one.member.circuit.answered()
          return one.execution
        } catch (error) {
          await decide(one, error)
        }
      }
    }

    /** Resolves if the request is to be tried again. @throws otherwise */
    async function decide(one: Attempt, error: unknown): Promise<void> {
      if (signal.aborted) throw error
      const { member, requested, startedAt } = one
      const classified = classify(error)
      const { problem, remedy } = classified
      noteFailure(one, classified)
      const isRefusal = !requested.isConnected() && isFullButConnected(member, error)
      if (isRefusal) refusals += 1
      if (refusals > MAX_REFUSALS || (retry !== undefined && !isRefusal)) throw problem
      // why: what had no connection has waited for one, and spent nothing of its statement's time
      const spentMs = requested.isConnected() ? now() - startedAt : 0
      const servers = retryServers(one, error, remedy, request, spentMs)
      if (servers === undefined || remedy === 'none') throw problem
      const { name: definition } = request
      observe({
        kind: 'run-retried',
        replica: member.name,
        definition,
        reason: remedy,
        error: problem,
      })
      if (remedy === 'transport') member.replica.dropIdle()
      // why: one that has crashed is back in a moment
      const hasCrashed = servers()[0] === member && !wasEnded(error) && !isRefusal
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
      const gone = Object.assign(new Error('the way to it is broken'), { code: 'ECONNABORTED' })
      const problem = replicaProblem('replica_unavailable', gone)
      for (const [member, its] of executing) {
        if (member.name !== name) continue
        for (const { execution, abort } of its) if (execution === undefined) abort.abort(problem)
      }
    },
    async rehearse(rehearsals) {
      for (const { replica, circuit } of usableReplicas(members, undefined, random)) {
        // why: no run may have come yet that would find out
        const refusals = await replica
          .rehearse(rehearsals)
          .catch((error: unknown) => circuit.failed(error))
        if (refusals) return refusals
      }
      return undefined
    },
  }
}

/** The server has no more connections for us, and we have some. */
function isFullButConnected({ replica }: Member, error: unknown): boolean {
  return replica.isConnected() && isFull(error instanceof Problem ? error.cause : error)
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

/** Where an execution is tried again, and what it is refused with if that is nowhere. */
interface Retry {
  readonly servers: () => readonly Member[]
  readonly noServer: () => Error
}
