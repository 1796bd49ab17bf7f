/**
 * Decides which request executes next, and on which replica. Requests wait in the queue of their organization, first come
 * first served. The organization with the least execution time lately goes first. Knows no pg.
 *
 * why: arrays and counters. A Map or Set that changes with each execution promotes what it held, since V8 links its old
 * tables to the new one
 * @see ../../decisions/0014-admission-by-organization.md
 */
import { LRUCache } from 'lru-cache'
import { throwIfStopped } from '../../model/stop.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { refusal, type AdmissionRequest, type Slot } from './admission-request.ts'
import { busiestOf, countExecution, NO_EXECUTIONS, rankOf, sum } from './execution-times.ts'
import type { ExecutionTimes } from './execution-times.ts'

interface Waiting<Replica> {
  readonly request: AdmissionRequest<Replica>
  readonly organization: Organization<Replica>
  readonly queuedAt: Milliseconds
  /** Requests that were before it in the queue. */
  readonly aheadCount: number
  /** Requests of all organizations that had been admitted before. */
  readonly admittedBefore: number
  resolve: (slot: Slot<Replica>) => void
  reject: (reason: unknown) => void
  removeStop?: () => void
}

interface Organization<Replica> extends ExecutionTimes {
  readonly id: string
  readonly queue: Array<Waiting<Replica>>
  readonly executing: Array<Slot<Replica>>
  /** When it was placed into the order of service. @see rankOf */
  rank: number
}

/** One of so many slots is reserved. */
const SLOTS_PER_RESERVED = 8
/** So long after an execution, the next one of its organization is awaited. */
const AWAITED_MS: Milliseconds = 250
/** If so many requests of an organization wait, new ones are refused. */
const MAX_QUEUED = 64
/** Some 500 bytes each. */
const MAX_ORGANIZATIONS = 20_000

export type Admission<Replica> = ReturnType<typeof createAdmission<Replica>>

export function createAdmission<Replica>(options: {
  readonly replicas: readonly Replica[]
  /** How many concurrent executions the replica takes now. */
  readonly slotsOf: (replica: Replica) => number
  readonly queueTimeoutMs: Milliseconds
  /** Monotonic. */
  readonly now: Clock
}) {
  const { replicas, slotsOf, queueTimeoutMs, now } = options
  const organizations = new LRUCache<string, Organization<Replica>>({ max: MAX_ORGANIZATIONS })
  /** Organizations with waiting requests, by rank. */
  const order: Organization<Replica>[] = []
  const executing = new Map<Replica, number>(replicas.map(replica => [replica, 0]))
  /** Organizations whose last execution has just ended. */
  let awaited: Organization<Replica>[] = []
  // why: thousands of organizations may wait, and their requests share few functions
  let choices: Array<ReturnType<typeof choose>> = []
  let isFull = false
  let waitingCount = 0
  let admittedCount = 0

  const freeOn = (replica: Replica): number =>
    Math.max(0, slotsOf(replica) - executing.get(replica)!)

  function place(organization: Organization<Replica>, at: Milliseconds): void {
    organization.rank = rankOf(organization, at)
    const after = order.findIndex(({ rank }) => rank > organization.rank)
    order.splice(after < 0 ? order.length : after, 0, organization)
  }

  function leave(entry: Waiting<Replica>): void {
    const { organization } = entry
    organization.queue.splice(organization.queue.indexOf(entry), 1)
    if (organization.queue.length === 0) order.splice(order.indexOf(organization), 1)
    waitingCount -= 1
    entry.removeStop?.()
  }

  /** The least rank of an organization that is likely to come back at once. */
  function rankAwaited(): number {
    const idle = awaited.filter(
      one => isAwaited(one) && one.queue.length + one.executing.length === 0,
    )
    return Math.min(...idle.map(one => rankOf(one, now())))
  }

  const isAwaited = ({ endedAt }: Organization<Replica>): boolean => endedAt > now() - AWAITED_MS

  /** The first replica with a free slot, and the rank below which organizations may take it. */
  function choose(usable: () => readonly Replica[]) {
    const all = usable()
    const replica = all.find(one => freeOn(one) > 0)
    const reservedCount = Math.floor(sum(all.map(slotsOf)) / SLOTS_PER_RESERVED)
    const rankBelow = sum(all.map(freeOn)) > reservedCount ? Infinity : rankAwaited()
    return { usable, isPossible: all.length > 0, replica, rankBelow }
  }

  function choiceFor({ usable }: AdmissionRequest<Replica>): ReturnType<typeof choose> {
    for (const known of choices) if (known.usable === usable) return known
    const choice = choose(usable)
    choices.push(choice)
    return choice
  }

  /** The first request of its queue that may execute now, with its replica. */
  function nextOf(organization: Organization<Replica>) {
    for (const entry of organization.queue) {
      const { replica, rankBelow } = choiceFor(entry.request)
      if (replica !== undefined && organization.rank < rankBelow) return { entry, replica }
    }
    return undefined
  }

  function resetChoices(): void {
    choices = []
    isFull = replicas.every(replica => freeOn(replica) === 0)
  }

  /** Gives each free slot to the first organization that may take it. */
  function serve(): void {
    const at = now()
    resetChoices()
    for (let next = 0; next < order.length && !isFull;) {
      const organization = order[next]!
      const first = nextOf(organization)
      if (first === undefined) next += 1
      else if (rankOf(organization, at) > organization.rank) {
        // why: what it executes was counted up to an earlier instant
        order.splice(next, 1)
        place(organization, at)
      } else {
        leave(first.entry)
        first.entry.resolve(occupy(first.entry, first.replica))
        resetChoices()
      }
    }
  }

  function occupy({ organization, queuedAt }: Waiting<Replica>, replica: Replica) {
    const startedAt = now()
    const slot: Slot<Replica> = {
      replica,
      startedAt,
      queueMs: startedAt - queuedAt,
      release() {
        organization.executing.splice(organization.executing.indexOf(slot), 1)
        executing.set(replica, executing.get(replica)! - 1)
        countExecution(organization, now(), now() - startedAt)
        if (!awaited.includes(organization)) awaited.push(organization)
        serve()
      },
    }
    organization.executing.push(slot)
    executing.set(replica, executing.get(replica)! + 1)
    admittedCount += 1
    return slot
  }

  function refuse(reason: 'waiting' | 'overloaded', entry: Waiting<Replica>) {
    const { queue, executing: held } = entry.organization
    // why: so many left the queue while it waited, and those that execute now let the next ones in
    const [waiting, passed] =
      reason === 'waiting'
        ? [queue.length, entry.aheadCount + held.length]
        : [waitingCount, admittedCount - entry.admittedBefore + sum([...executing.values()])]
    const backlogMs = (waiting * (now() - entry.queuedAt)) / Math.max(1, passed)
    const cause = `the organization has ${held.length} executing, ${queue.length} waiting; all have ${waitingCount} waiting`
    return refusal(reason, backlogMs, cause)
  }

  return {
    /**
     * A slot; a promise if the request has to wait.
     * @throws Problem `rate_limited`, `overloaded`; the error of `noneUsable`; the reason of `stop`
     */
    acquire(request: AdmissionRequest<Replica>): Slot<Replica> | Promise<Slot<Replica>> {
      const { organizationId: id, isRetry, stop } = request
      throwIfStopped(stop)
      const usable = request.usable()
      if (usable.length === 0) throw request.noneUsable()
      const organization = organizations.get(id) ?? {
        ...NO_EXECUTIONS,
        id,
        queue: [],
        executing: [],
        rank: 0,
      }
      organizations.set(id, organization)
      const { queue } = organization
      if (queue.length >= MAX_QUEUED && !isRetry) throw refuse('waiting', queue[0]!)
      let granted: Slot<Replica> | undefined
      const entry: Waiting<Replica> = {
        request,
        organization,
        queuedAt: now(),
        aheadCount: isRetry ? 0 : queue.length,
        admittedBefore: admittedCount,
        resolve: slot => void (granted = slot),
        reject: () => {},
      }
      queue.splice(entry.aheadCount, 0, entry)
      if (queue.length === 1) place(organization, entry.queuedAt)
      waitingCount += 1
      // why: without a free replica nothing has changed for the others, and there may be thousands
      if (usable.some(one => freeOn(one) > 0)) serve()
      if (granted !== undefined) return granted
      return new Promise((resolve, reject) => {
        Object.assign(entry, { resolve, reject })
        entry.removeStop = stop.onStop(reason => {
          leave(entry)
          reject(reason)
        })
      })
    },
    /**
     * Rejects requests that have no usable replica or have waited too long, and serves the rest. Call it several times a
     * second, and when slots or replicas have changed.
     */
    review(): void {
      awaited = awaited.filter(isAwaited)
      if (waitingCount === 0) return
      resetChoices()
      const lateBefore = now() - queueTimeoutMs
      for (const entry of order.flatMap(({ queue }) => queue)) {
        const { isPossible } = choiceFor(entry.request)
        if (isPossible && entry.queuedAt > lateBefore) continue
        entry.reject(isPossible ? refuse('overloaded', entry) : entry.request.noneUsable())
        leave(entry)
      }
      serve()
    },
    executingOn: (replica: Replica): number => executing.get(replica) ?? 0,
    queueLength: (): number => waitingCount,
    busiest: () => busiestOf(organizations.values(), now()),
  }
}
