/**
 * All replicas as one: an execution goes to the least busy replica that may have it, once it is admitted, and is
 * retried where that helps. Knows no pg, and not how one replica executes it.
 */
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { AdmissionQueue, Slot } from './admission-queue.ts'
import { classify, isFull, replicaProblem, wasEnded } from './classify-error.ts'
import type { Remedy } from './classify-error.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { onlyWhile } from './replica-run.ts'
import type { OrganizationRun, Reading, Runs } from './replica-run.ts'
import type { Replica } from './replica.ts'
import type { RetryBudget } from './retry-budget.ts'
import { usableReplicas, whyNot } from './replica-choice.ts'
import type { Candidate } from './replica-choice.ts'

export interface Member extends Candidate {
  readonly circuit: CircuitBreaker
  readonly replica: Pick<Replica, 'run' | 'rehearse' | 'dropIdle' | 'isConnected'>
  /** Has the probe look at once. */
  readonly look: () => void
}

export interface Replicas extends Runs, Pick<Replica, 'rehearse'> {
  /** The way to a replica is broken: what runs there and has given nothing yet fails at once. */
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
  const attempts = new Map<Member, Set<() => void>>(members.map(member => [member, new Set()]))

  /** One function for each bound: there are as many as definitions at most. */
  const serversByLag = new Map<Milliseconds | undefined, () => readonly Member[]>()

  function serversWithin(maxLagMs: Milliseconds | undefined): () => readonly Member[] {
    const known = serversByLag.get(maxLagMs) ?? (() => usableReplicas(members, maxLagMs, random))
    serversByLag.set(maxLagMs, known)
    return known
  }

  function noReplica(run: OrganizationRun): Problem {
    const reasons = members.map(member => `${member.name} ${whyNot(member, run.maxLagMs)}`)
    return replicaProblem('replica_unavailable', new Error(`no replica: ${reasons.join('; ')}`))
  }

  /** @throws Problem `rate_limited`, `overloaded`, or what `noServer` makes; the signal's reason. */
  async function admit(
    run: OrganizationRun,
    retry?: { readonly servers: () => readonly Member[]; readonly noServer: () => Error },
  ): Promise<Slot<Member>> {
    const queuedAt = now()
    try {
      return await admission.acquire({
        organizationId: run.organizationId,
        definition: run.name,
        alike: run.alike,
        identity: run.identity,
        servers: retry?.servers ?? serversWithin(run.maxLagMs),
        noServer: retry?.noServer ?? (() => noReplica(run)),
        isRetry: retry !== undefined,
        signal: run.signal,
      })
    } catch (error) {
      const { code, cause } = error instanceof Problem ? error : {}
      const nothing = { plan: 'own', durationMs: undefined, rowCount: 0 } as const
      const outcome =
        code === undefined
          ? 'cancelled'
          : code === 'replica_unavailable'
            ? 'unavailable'
            : 'refused'
      const queueMs = now() - queuedAt
      observe({
        kind: 'run',
        definition: run.name,
        outcome,
        ...nothing,
        queueMs,
        error: cause ?? error,
      })
      throw error
    }
  }

  /** @throws Failed */
  async function attempt(slot: Slot<Member>, run: OrganizationRun): Promise<void> {
    const { server: member, queueMs } = slot
    const { circuit, replica } = member
    const own = new AbortController()
    const leave = (): void => own.abort(run.signal.reason)
    run.signal.addEventListener('abort', leave)
    if (run.signal.aborted) leave()
    let reading: Reading | undefined
    let abandon!: () => void
    const abandoned = new Promise<never>((_resolve, reject) => {
      abandon = () => {
        if (reading !== undefined && reading.sink.rowCount() > 0) return
        const gone = Object.assign(new Error('the way to it is broken'), { code: 'ECONNABORTED' })
        const problem = replicaProblem('replica_unavailable', gone)
        reject(problem)
        own.abort(problem)
      }
    })
    const open = (): Reading => (reading = onlyWhile(own.signal, run.open()))
    const others = attempts.get(member)!
    // why: the probe's next look may be a second away, and every run until then would hang with these
    if (others.size > 0 && circuit.isQuiet()) member.look()
    others.add(abandon)
    try {
      const execution = replica.run({ ...run, queueMs, open, signal: own.signal })
      // why: an abandoned one may still hold its connection
      execution.then(
        () => slot.release(true),
        () => slot.release(false),
      )
      await Promise.race([execution, abandoned])
      circuit.answered()
    } catch (error) {
      if (run.signal.aborted) throw new Failed(error, 'none', reading)
      const { problem, remedy } = classify(error)
      // why: who has had rows has had a way to the replica
      const hadRows = reading !== undefined && reading.sink.rowCount() > 0
      // why: a server that is full answers on what connections we have
      const isShut = isFull(problem.cause) && !replica.isConnected()
      if ((remedy === 'transport' || isShut) && !hadRows) circuit.failed(problem.cause)
      // why: until the probe has seen it, too, every run that goes there is made twice
      else if (remedy === 'elsewhere' && !isFull(problem.cause)) member.look()
      else if (remedy === 'conflict' || problem.code === 'internal_error') circuit.answered()
      throw new Failed(error, remedy, reading)
    } finally {
      others.delete(abandon)
      run.signal.removeEventListener('abort', leave)
    }
  }

  /** Where to retry; undefined where that would not help. */
  function retryServers(
    { error, remedy, reading }: Failed,
    run: OrganizationRun,
    failedAt: Member,
    spentMs: Milliseconds,
  ): (() => readonly Member[]) | undefined {
    const timeLeft = 1 - spentMs / run.timeoutMs
    if (remedy === 'none' || reading?.isOut() === true || timeLeft <= 0) return undefined
    if (remedy === 'conflict' && timeLeft < CONFLICT_TIME_LEFT) return undefined
    // why: a server that takes no connection takes none a moment later; one that lost one may
    const isLost = remedy === 'transport' && reading !== undefined
    const sameHelps = remedy === 'conflict' || isLost || isFullButConnected(failedAt, error)
    const servers = (): readonly Member[] => {
      const usable = usableReplicas(members, run.maxLagMs, random)
      const others = usable.filter(member => member !== failedAt)
      return others.length > 0 || !sameHelps ? others : usable
    }
    if (servers().length === 0) return undefined
    // why: a run that had no connection has cost no replica anything
    return reading === undefined || budget.take() ? servers : undefined
  }

  /** Retries once. Where a full server refuses one more connection, waits for one of ours up to `MAX_REFUSALS` times. */
  async function runWithRetry(run: OrganizationRun): Promise<void> {
    let retry: Parameters<typeof admit>[1]
    let { timeoutMs } = run
    let refusals = 0
    for (;;) {
      const slot = await admit(run, retry)
      const { server: member } = slot
      const startedAt = now()
      try {
        return await attempt(slot, { ...run, timeoutMs })
      } catch (failed) {
        const { remedy, error, reading } = failed as Failed
        const isRefusal = reading === undefined && isFullButConnected(member, error)
        if (isRefusal) refusals += 1
        if (refusals > MAX_REFUSALS || (retry !== undefined && !isRefusal)) throw error
        // why: what had no connection has waited for one, and spent nothing of its statement's time
        const spentMs = reading === undefined ? 0 : now() - startedAt
        const servers = retryServers(failed as Failed, run, member, spentMs)
        if (servers === undefined || remedy === 'none') throw error
        const { name: definition } = run
        observe({ kind: 'run-retried', replica: member.name, definition, reason: remedy, error })
        if (remedy === 'transport') member.replica.dropIdle()
        // why: one that has crashed is back in a moment
        const hasCrashed = servers()[0] === member && !wasEnded(error) && !isRefusal
        if (remedy === 'conflict' || hasCrashed || refusals > 1) {
          await wait(JITTER_MS.least + random() * (JITTER_MS.most - JITTER_MS.least), run.signal)
        }
        timeoutMs = Math.max(1, timeoutMs - (reading === undefined ? 0 : now() - startedAt))
        retry = { servers, noServer: () => error as Error }
      }
    }
  }

  return {
    async run(run) {
      budget.ran()
      try {
        await runWithRetry(run)
      } catch (error) {
        throw run.signal.aborted ? error : classify(error).problem
      }
    },
    abandon(name) {
      for (const [member, its] of attempts) {
        if (member.name === name) its.forEach(abandon => abandon())
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

/** Why an attempt came to nothing, and how far it had come. */
class Failed extends Error {
  readonly error: unknown
  readonly remedy: Remedy
  /** Undefined where there was no connection yet. */
  readonly reading: Reading | undefined

  constructor(error: unknown, remedy: Remedy, reading: Reading | undefined) {
    super('the attempt failed', { cause: error })
    this.error = error
    this.remedy = remedy
    this.reading = reading
  }
}
