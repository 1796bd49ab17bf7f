/**
 * Who executes next, and on which replica: a queue for each organization in front of the slots of all
 * replicas. Knows no pg: a replica is what has slots. An execution never holds one slot while it waits
 * for another.
 *
 * @see ../decisions/0015-admission-by-organization.md
 */
import type { BusyOrganization } from '../../model/gauges.ts'
import type { BudgetState, Clock, Milliseconds, OrganizationBudget } from '../../model/terms.ts'
import type { AdmissionRequest, Slot, Waiting } from './admission-request.ts'
import { createDeficitRoundRobin } from './deficit-round-robin.ts'
import type { ExecutionCosts } from './execution-costs.ts'
import { expectedWait } from './expected-wait.ts'
import { budgetState, spend, waitForBudgetMs } from './organization-budget.ts'
import { createOrganizationLoads } from './organization-loads.ts'
import type { Executing, OrganizationLoad } from './organization-loads.ts'
import { refuse } from './refusal.ts'
import type { AdmissionRefusal } from './refusal.ts'
import { promiseRetry } from './retry-time.ts'

export interface Admission<Server> {
  /**
   * Waits for a slot.
   * @throws Problem `rate_limited` or `overloaded`, at once where the expected wait is too long; what
   *   `noServer` makes; the signal's reason.
   */
  acquire(request: AdmissionRequest<Server>): Promise<Slot<Server>>
  /** There may be more slots or servers than a moment ago, or fewer. */
  serve(): void
  executingOn(server: Server): number
  queueLength(): number
  /** Organizations by their execution time in the last minute, the most first. */
  busiest(count: number): BusyOrganization[]
  /** Undefined where no budget is configured. */
  budgetOf(organizationId: string): BudgetState | undefined
}

export interface AdmissionOptions<Server> {
  readonly servers: readonly Server[]
  /** How many executions it takes at once now. */
  readonly slotsOf: (server: Server) => number
  /** Requests begin to wait, or still do. */
  readonly onWait: () => void
  readonly costs: ExecutionCosts
  readonly queueTimeoutMs: Milliseconds
  readonly budget: OrganizationBudget | undefined
  /** Never set back or forth; only differences count. */
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
  /** Calls back after so long unless it is cancelled; `setTimeout` unless given. */
  readonly schedule?: (ms: Milliseconds, callback: () => void) => () => void
}

/** Above this an organization's requests are refused, however short they are. */
const MAX_WAITING = 64
/** Slots change with time alone, and nothing else may happen meanwhile. */
const SERVE_EVERY_MS: Milliseconds = 500
/** With fewer slots nothing is reserved. */
const MIN_SLOTS_WITH_RESERVE = 4
type Load<Server> = OrganizationLoad<Waiting<Server>>

export function createAdmission<Server>(options: AdmissionOptions<Server>): Admission<Server> {
  const { servers, slotsOf, onWait, costs, queueTimeoutMs, budget, now, random } = options
  const { schedule = timer } = options
  const loads = createOrganizationLoads<Waiting<Server>>(now, isSettled)
  const turns = createDeficitRoundRobin<Load<Server>>()
  const executing = new Map<Server, number>(servers.map(server => [server, 0]))
  let queueLength = 0
  let queuedMs: Milliseconds = 0
  let isTicking = false

  function isSettled(load: Load<Server>): boolean {
    if (budget) spend(budget, load, 0, now())
    return load.spentMs <= 0
  }

  const slotsOn = (some: readonly Server[]): number => Math.max(1, sum(some.map(slotsOf)))
  const freeOn = (server: Server): number => Math.max(0, slotsOf(server) - executing.get(server)!)

  // why: what hangs on a server that is cut off takes no slot from others
  const executionsOf = ({ executing: all }: Load<Server>): Executing[] =>
    [...all].filter(({ server }) => slotsOf(server as Server) > 0)

  /** How many slots of so many it may hold, and how many of those that are free are not for it. */
  function shareOf(
    load: Load<Server>,
    slots: number,
    heldCount: number,
  ): { readonly slots: number; readonly reserved: number } {
    if (!loads.isContended(load)) return { slots, reserved: 0 }
    const quarter = Math.floor(slots / 4)
    const hasReserve = slots >= MIN_SLOTS_WITH_RESERVE && heldCount > 0
    return { slots: Math.max(1, quarter), reserved: hasReserve ? quarter : 0 }
  }

  /** What of its queue can be executed now, and where. */
  function servable(load: Load<Server>, slots: number): Served<Server> | undefined {
    const held = executionsOf(load)
    if (held.length >= shareOf(load, slots, held.length).slots) return undefined
    if (budgetWaitMs(load, 0) > 0) return undefined
    for (const entry of load.queue) {
      const { identity } = entry.request
      if (held.some(one => one.identity === identity)) continue
      // why: slots of replicas that may not execute it keep nothing free for it or for others
      const usable = entry.request.servers()
      const share = shareOf(load, slotsOn(usable), held.length)
      if (held.length >= share.slots) continue
      if (sum(usable.map(freeOn)) <= share.reserved) continue
      const server = usable.find(one => freeOn(one) > 0)
      if (server !== undefined) return { load, entry, server, costMs: entry.costMs }
    }
    return undefined
  }

  function serve(): void {
    const slots = slotsOn(servers)
    for (let free = sum(servers.map(freeOn)); free > 0 && queueLength > 0; free -= 1) {
      const next = turns.next(load => servable(load, slots))
      if (next === undefined) return
      leave(next.load, next.entry)
      next.entry.admit(next.server)
    }
  }

  function join(load: Load<Server>, entry: Waiting<Server>): void {
    if (entry.request.isRetry) load.queue.unshift(entry)
    else load.queue.push(entry)
    load.queuedMs += entry.costMs
    queuedMs += entry.costMs
    queueLength += 1
    loads.active(load)
    turns.join(load)
  }

  function leave(load: Load<Server>, entry: Waiting<Server>): void {
    const at = load.queue.indexOf(entry)
    if (at < 0) return
    load.queue.splice(at, 1)
    load.queuedMs -= entry.costMs
    queuedMs -= entry.costMs
    queueLength -= 1
    loads.active(load)
    if (load.queue.length > 0) return
    turns.leave(load)
  }

  function occupy(load: Load<Server>, entry: Waiting<Server>, server: Server): Slot<Server> {
    const { request, costMs } = entry
    const startedAt = now()
    const { identity } = request
    const execution: Executing = { server, identity, startedAt, expectedMs: costMs }
    load.executing.add(execution)
    executing.set(server, executing.get(server)! + 1)
    if (budget) spend(budget, load, costMs, startedAt)
    let isHeld = true
    return {
      server,
      queueMs: startedAt - entry.queuedAt,
      release(isComplete) {
        if (!isHeld) return
        isHeld = false
        const durationMs = now() - startedAt
        load.executing.delete(execution)
        executing.set(server, executing.get(server)! - 1)
        loads.executed(load, durationMs)
        turns.correct(load, costMs, durationMs)
        // why: an organization that is alone takes nothing from others, and owes them nothing
        if (!loads.isContended(load)) load.creditMs = 0
        if (budget) spend(budget, load, durationMs - costMs, now())
        // why: what ended early would have taken as long at least
        if (isComplete || durationMs > costMs) {
          costs.measured(request.definition, request.alike, durationMs)
        }
        serve()
      },
    }
  }

  /** Until one that joins now would be served, behind its own and behind everybody's. */
  function expectedWaits(
    load: Load<Server>,
    entry: Waiting<Server>,
  ): readonly [own: Milliseconds, all: Milliseconds] {
    const at = now()
    const all = slotsOn(entry.request.servers())
    const held = executionsOf(load)
    const { slots, reserved } = shareOf(load, all, held.length)
    const ahead = load.queue.filter(one => one !== entry)
    const ownMs = expectedWait(held, ahead, entry.request.identity, slots, at)
    // why: while its own are served and its debt is repaid, each other organization is served as much at most
    const turnMs = load.queuedMs + Math.max(0, -load.creditMs)
    const allMs = Math.min(queuedMs, turns.waiting.size * turnMs) / (all - reserved)
    return [ownMs, allMs]
  }

  /** Why it is refused instead of waiting. */
  function refusalOf(load: Load<Server>, entry: Waiting<Server>): Error | undefined {
    const [ownMs, allMs] = expectedWaits(load, entry)
    const budgetMs = budgetWaitMs(load, load.queuedMs - entry.costMs)
    if (budgetMs > queueTimeoutMs) return refused('budget', load, entry, budgetMs)
    if (load.queue.length > MAX_WAITING) return refused('waiting', load, entry, ownMs)
    if (ownMs > queueTimeoutMs) return refused('backlog', load, entry, ownMs)
    return allMs > queueTimeoutMs ? refused('overloaded', load, entry, allMs) : undefined
  }

  function timedOut(load: Load<Server>, entry: Waiting<Server>): Error {
    const budgetMs = budgetWaitMs(load, 0)
    if (budgetMs > 0) return refused('budget', load, entry, budgetMs)
    // why: an organization that executes meanwhile waits for itself
    const reason = load.executing.size > 0 ? 'backlog' : 'overloaded'
    return refused(reason, load, entry, Math.max(...expectedWaits(load, entry)))
  }

  const budgetWaitMs = (load: Load<Server>, queuedMs: Milliseconds): Milliseconds =>
    budget ? waitForBudgetMs(budget, load, queuedMs, now()) : 0

  function refused(
    reason: AdmissionRefusal,
    load: Load<Server>,
    { costMs, queuedAt }: Waiting<Server>,
    waitMs: Milliseconds,
  ): Error {
    const at = now()
    const { slots } = shareOf(load, slotsOn(servers), load.executing.size)
    const share = reason === 'budget' ? budget!.executionMs / budget!.windowMs : slots
    const waited = `after ${Math.round(at - queuedAt)} ms`
    const state = `${load.executing.size} executing of ${slots}, ${load.queue.length} waiting`
    const cause = `${reason} ${waited}: the organization has ${state}; all have ${queueLength} waiting`
    const retryMs = promiseRetry(load, at, waitMs, costMs / share, random())
    return refuse(reason, retryMs, new Error(cause))
  }

  /** Entries that no server may execute any more are rejected, the rest is served. */
  function look(): void {
    const hasServer = new Map<() => readonly Server[], boolean>()
    const isHopeless = ({ request }: Waiting<Server>): boolean => {
      const known = hasServer.get(request.servers) ?? request.servers().length > 0
      hasServer.set(request.servers, known)
      return !known
    }
    for (const load of turns.waiting) {
      for (const entry of load.queue.filter(isHopeless)) {
        leave(load, entry)
        entry.reject(entry.request.noServer())
      }
    }
    serve()
    if (queueLength > 0) onWait()
  }

  function tick(): void {
    if (isTicking) return
    isTicking = true
    schedule(SERVE_EVERY_MS, () => {
      isTicking = false
      look()
      if (queueLength > 0) tick()
    })
  }

  function acquire(request: AdmissionRequest<Server>): Promise<Slot<Server>> {
    const { signal } = request
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      if (request.servers().length === 0) return reject(request.noServer())
      const load = loads.of(request.organizationId)
      const entry: Waiting<Server> = {
        request,
        costMs: costs.expect(request.definition, request.alike),
        queuedAt: now(),
        admit(server) {
          settle()
          resolve(occupy(load, entry, server))
        },
        reject(reason) {
          settle()
          reject(reason)
        },
      }
      const abort = (): void => end(signal.reason)
      let cancelTimeout: (() => void) | undefined
      const settle = (): void => {
        cancelTimeout?.()
        signal.removeEventListener('abort', abort)
      }
      const end = (reason: unknown): void => {
        leave(load, entry)
        entry.reject(reason)
      }

      join(load, entry)
      serve()
      if (!load.queue.includes(entry)) return undefined
      const refusal = request.isRetry ? undefined : refusalOf(load, entry)
      if (refusal) return end(refusal)
      signal.addEventListener('abort', abort)
      cancelTimeout = schedule(queueTimeoutMs, () => end(timedOut(load, entry)))
      onWait()
      tick()
    })
  }

  return {
    acquire,
    serve: look,
    executingOn: server => executing.get(server) ?? 0,
    queueLength: () => queueLength,
    busiest: count => loads.busiest(count),
    budgetOf(organizationId) {
      if (budget === undefined) return undefined
      const load = loads.of(organizationId)
      spend(budget, load, 0, now())
      return budgetState(budget, load)
    },
  }
}

interface Served<Server> {
  readonly load: Load<Server>
  readonly entry: Waiting<Server>
  readonly server: Server
  readonly costMs: Milliseconds
}

function timer(ms: Milliseconds, callback: () => void): () => void {
  const timeout = setTimeout(callback, ms)
  return () => clearTimeout(timeout)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
