/**
 * Executes a statement of an organization on the best replica, with one retry. This file alone decides about choice, retry
 * and fallback. Knows neither pg nor how a replica executes.
 */
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import { throwIfStopped, type Stop } from '../../model/stop.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { Admission } from './admission.ts'
import { classify, isAnotherServer, isFull, replicaProblem } from './classify-error.ts'
import { unusableReason, type Replica } from './replica.ts'
import { outcomeOf } from './report-pool.ts'
import type { Counted, UseRows, ReportStatement } from './rows.ts'
import { lagMs } from './peer-check.ts'

/**
 * @returns what `read` returns
 * @throws Problem `replica_unavailable`, `overloaded`, `rate_limited`, `report_timeout` or `internal_error`; what `read`
 *   throws, as a Problem; the reason of the stop
 */
export type Execute = <T extends Counted | undefined>(
  statement: ReportStatement,
  stop: Stop,
  read: UseRows<T>,
) => Promise<T>

/** Attempts that were refused before anything was executed, with `PAUSE_MS` between them: about 6 s. */
const MAX_REFUSALS = 20
/** Half of it to one and a half before an execution is retried after a conflict, or once more after a refusal. */
const PAUSE_MS: Milliseconds = 300

/** How the next attempt is made. */
interface Next {
  readonly usable: () => readonly Replica[]
  /** Why the last attempt failed; undefined for the first attempt. */
  readonly problem?: Problem
  readonly retryCount: number
  /** With what is left of the timeout: all attempts together have it. */
  readonly statement: ReportStatement
}

export function createExecute(
  options: Ranking & {
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

  function usableWithin(maxLagMs: Milliseconds | undefined): () => readonly Replica[] {
    const known = within.get(maxLagMs)
    if (known !== undefined) return known
    const usable = (): readonly Replica[] => usableReplicas(replicas, maxLagMs, options)
    within.set(maxLagMs, usable)
    return usable
  }

  function noReplica(maxLagMs: Milliseconds | undefined): Problem {
    const reasons = replicas.map(one => `${one.name}: ${unusableReason(one, maxLagMs)}`)
    return replicaProblem('replica_unavailable', new Error(`no replica: ${reasons.join('; ')}`))
  }

  /** @throws Problem `rate_limited`, `overloaded` or of the missing replica; the reason of the stop */
  function acquireSlot({ statement, usable, problem }: Next, stop: Stop) {
    const { organizationId, maxLagMs, name, origin } = statement
    const queuedAt = now()
    const noneUsable = (): Problem => problem ?? noReplica(maxLagMs)
    const isRetry = problem !== undefined
    const refuse = (error: unknown): never => {
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
    try {
      const slot = admission.acquire({ organizationId, usable, noneUsable, isRetry, stop })
      return slot instanceof Promise ? slot.catch(refuse) : slot
    } catch (error) {
      return refuse(error)
    }
  }

  /** How a failed attempt is retried. @throws Problem if it is not */
  async function retryOf(
    replica: Replica,
    error: unknown,
    { statement, retryCount }: Next,
    spentMs: Milliseconds,
  ): Promise<Next> {
    const { maxLagMs, origin, name, timeoutMs } = statement
    const { problem, remedy } = classify(error)
    const { cause } = problem
    // why: nothing was executed, and another connection may be usable
    const isUnexecuted =
      isAnotherServer(cause) || (isFull(cause) && replica.reports.sessions.count() > 0)
    const maxCount = isUnexecuted ? MAX_REFUSALS : 1
    const leftMs = isUnexecuted ? timeoutMs : timeoutMs - spentMs
    replica.noteFailure(error)
    const usable = (): readonly Replica[] => {
      const all = usableWithin(maxLagMs)()
      const others = all.filter(one => one !== replica)
      return others.length > 0 ? others : all
    }
    const mayRetry = remedy !== 'none' && retryCount < maxCount && leftMs > 0
    if (!mayRetry || usable().length === 0) throw problem
    const fact = { origin, replica: replica.name, definition: name, reason: remedy, error: problem }
    observe({ kind: 'execution-retried', ...fact })
    if (remedy === 'conflict' || retryCount > 0) await options.wait(PAUSE_MS * (0.5 + random()))
    return {
      usable,
      problem,
      retryCount: retryCount + 1,
      statement: { ...statement, timeoutMs: leftMs },
    }
  }

  return async (statement, stop, read) => {
    throwIfStopped(stop)
    let next: Next = { statement, usable: usableWithin(statement.maxLagMs), retryCount: 0 }
    for (;;) {
      const acquired = acquireSlot(next, stop)
      const slot = acquired instanceof Promise ? await acquired : acquired
      const replica = slot.replica
      const startedAt = now()
      // why: afterwards the reader may be busy for minutes, which the timeout does not limit
      let resultAt: Milliseconds | undefined
      const readAttempt: typeof read = rows => {
        resultAt = now()
        return read(rows)
      }
      try {
        return await replica.reports.execute({ ...next, slot, stop, read: readAttempt })
      } catch (error) {
        throwIfStopped(stop)
        next = await retryOf(replica, error, next, (resultAt ?? now()) - startedAt)
        throwIfStopped(stop)
      }
    }
  }
}

interface Ranking {
  /** Replicas that are further behind rank last. */
  readonly reportsMaxLagMs: Milliseconds
  /** Executions there. */
  readonly loadOf: (replica: Replica) => number
  /** From 0 to 1. */
  readonly random: () => number
}

/** The best first: those within `reportsMaxLagMs` by load, then the others by lag. */
export function usableReplicas(
  replicas: readonly Replica[],
  maxLagMs: Milliseconds | undefined,
  { reportsMaxLagMs, loadOf, random }: Ranking,
): readonly Replica[] {
  const usable = replicas.filter(one => unusableReason(one, maxLagMs) === undefined)
  if (usable.length < 2) return usable
  const ranked = usable.map(one => {
    const state = one.probe.state()
    const lag = lagMs(state, one.probe.stateAgeMs())
    const isLate = lag > reportsMaxLagMs || state?.replayPaused === true
    // why: the difference of two infinities is not a number
    const lateMs = isLate ? Math.min(Math.max(1, lag), Number.MAX_VALUE) : 0
    return { one, lateMs, load: loadOf(one), lot: random() }
  })
  ranked.sort((a, b) => a.lateMs - b.lateMs || a.load - b.load || a.lot - b.lot)
  return ranked.map(({ one }) => one)
}
