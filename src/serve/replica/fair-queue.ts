/**
 * The requests of all organizations in the order of service: which is executed next, on which server, and how long
 * each would wait. While others compete, an organization holds at most a quarter of the slots, and with four slots
 * or more a quarter stays free for organizations that hold none.
 *
 * Turns are those of deficit round robin: organizations get equal execution time while they compete. The cost of
 * an execution is unknown when it begins, so an estimate is charged then and corrected at its end; an organization
 * in debt waits until the others have caught up.
 *
 * @see ../../decisions/0015-admission-by-organization.md
 * @see https://en.wikipedia.org/wiki/Deficit_round_robin
 */
import type { Clock, Milliseconds, OrganizationBudget } from '../../model/terms.ts'
import { createExecutionCosts, expectedWait } from './execution-costs.ts'
import type { Executing } from './execution-costs.ts'
import { createOrganizationLoads } from './organization-loads.ts'
import type { OrganizationLoad } from './organization-loads.ts'

export interface AdmissionRequest<Server> {
  readonly organizationId: string
  /** `Definition.name` */
  readonly definition: string
  /** @see ReplicaRun */
  readonly alike: string
  /** Two with the same identity never execute at once. */
  readonly identity: string
  /** Servers that may execute it, free or not, the best first. */
  readonly servers: () => readonly Server[]
  /** What it is refused with if there is none. */
  readonly noServer: () => Error
  /** It was admitted before and has lost its server: it is not refused, and goes first. */
  readonly isRetry: boolean
  /** Its reason is what `acquire` rejects with. */
  readonly signal: AbortSignal
}

/** A request in the queue of its organization. */
export interface Waiting<Server> {
  readonly request: AdmissionRequest<Server>
  /** As expected. */
  readonly costMs: Milliseconds
  readonly queuedAt: Milliseconds
  readonly admit: (server: Server) => void
  readonly reject: (reason: unknown) => void
}
export type Load<Server> = OrganizationLoad<Waiting<Server>>

/** With fewer slots nothing is reserved. */
const MIN_SLOTS_WITH_RESERVE = 4
/** Short executions of one organization are served together up to this, so that turns are short. */
const QUANTUM_MS: Milliseconds = 10
/** A debt beyond this is forgiven: one long report must not shut its organization out. */
const MAX_DEBT_MS: Milliseconds = 10_000

export function createFairQueue<Server>(options: {
  readonly servers: readonly Server[]
  readonly slotsOf: (server: Server) => number
  readonly budget: OrganizationBudget | undefined
  readonly now: Clock
}) {
  const { servers, slotsOf, budget, now } = options
  const costs = createExecutionCosts()
  const loads = createOrganizationLoads<Waiting<Server>>(now, budget)
  /** Organizations that wait, in the order of turns. */
  const waiting = new Set<Load<Server>>()
  const executing = new Map<Server, number>(servers.map(server => [server, 0]))
  let length = 0
  let queuedMs: Milliseconds = 0

  const slotsOn = (some: readonly Server[]): number => Math.max(1, sum(some.map(slotsOf)))
  const freeOn = (server: Server): number => Math.max(0, slotsOf(server) - executing.get(server)!)

  // why: what hangs on a server that is cut off takes no slot from others
  const executionsOf = ({ executing: all }: Load<Server>): Executing[] =>
    [...all].filter(({ server }) => slotsOf(server as Server) > 0)

  /** How many slots of so many it may hold, and how many of those that are free are not for it. */
  function shareOf(load: Load<Server>, slots: number, heldCount: number) {
    if (!loads.isContended(load)) return { slots, reserved: 0 }
    const quarter = Math.floor(slots / 4)
    const hasReserve = slots >= MIN_SLOTS_WITH_RESERVE && heldCount > 0
    return { slots: Math.max(1, quarter), reserved: hasReserve ? quarter : 0 }
  }

  /** What of its queue can be executed now, and where. */
  function servable(load: Load<Server>, slots: number) {
    const held = executionsOf(load)
    if (held.length >= shareOf(load, slots, held.length).slots) return undefined
    if (loads.budgetWaitMs(load, 0) > 0) return undefined
    for (const entry of load.queue) {
      const { identity } = entry.request
      if (held.some(one => one.identity === identity)) continue
      // why: slots of replicas that may not execute it keep nothing free for it or for others
      const usable = entry.request.servers()
      const share = shareOf(load, slotsOn(usable), held.length)
      if (held.length >= share.slots) continue
      if (sum(usable.map(freeOn)) <= share.reserved) continue
      const server = usable.find(one => freeOn(one) > 0)
      if (server !== undefined) return { load, entry, server }
    }
    return undefined
  }

  function charge(load: Load<Server>, costMs: Milliseconds): void {
    load.creditMs = Math.max(-MAX_DEBT_MS, Math.min(QUANTUM_MS, load.creditMs - costMs))
  }

  /** What is served next, charged with its cost; undefined if nothing can be. */
  function nextTurn(slots: number): ReturnType<typeof servable> {
    for (;;) {
      let rounds = Number.POSITIVE_INFINITY
      for (const load of waiting) {
        const found = servable(load, slots)
        if (found === undefined) continue
        if (load.creditMs > 0) {
          charge(load, found.entry.costMs)
          if (load.creditMs <= 0) {
            waiting.delete(load)
            waiting.add(load)
          }
          return found
        }
        rounds = Math.min(rounds, Math.floor(-load.creditMs / QUANTUM_MS) + 1)
      }
      if (rounds === Number.POSITIVE_INFINITY) return undefined
      // why: all rounds at once in which nothing could be served
      for (const load of waiting) charge(load, -rounds * QUANTUM_MS)
    }
  }

  function join(load: Load<Server>, entry: Waiting<Server>): void {
    if (entry.request.isRetry) load.queue.unshift(entry)
    else load.queue.push(entry)
    count(load, entry, 1)
    waiting.add(load)
  }

  function leave(load: Load<Server>, entry: Waiting<Server>): void {
    const at = load.queue.indexOf(entry)
    if (at < 0) return
    load.queue.splice(at, 1)
    count(load, entry, -1)
    // why: with nothing left to execute, credit is lost, and a debt is not
    if (load.queue.length === 0 && waiting.delete(load)) load.creditMs = Math.min(0, load.creditMs)
  }

  function count(load: Load<Server>, { costMs }: Waiting<Server>, by: 1 | -1): void {
    load.queuedMs += by * costMs
    queuedMs += by * costMs
    length += by
    loads.touch(load)
  }

  /** @returns what ends the execution; false if it ended early, and the next may take longer */
  function occupy(load: Load<Server>, entry: Waiting<Server>, server: Server) {
    const { request, costMs } = entry
    const startedAt = now()
    const execution = { server, identity: request.identity, startedAt, expectedMs: costMs }
    load.executing.add(execution)
    loads.touch(load)
    executing.set(server, executing.get(server)! + 1)
    loads.spend(load, costMs)
    return (isComplete: boolean): void => {
      if (!load.executing.delete(execution)) return
      const durationMs = now() - startedAt
      executing.set(server, executing.get(server)! - 1)
      loads.executed(load, durationMs)
      charge(load, durationMs - costMs)
      // why: an organization that is alone takes nothing from others, and owes them nothing
      if (!loads.isContended(load)) load.creditMs = 0
      loads.spend(load, durationMs - costMs)
      // why: what ended early would have taken as long at least
      if (isComplete || durationMs > costMs) {
        costs.measured(request.definition, request.alike, durationMs)
      }
    }
  }

  /** Until an entry would be served: behind its own, behind everybody's, and until there is budget after so much. */
  function waitsOf(load: Load<Server>, entry: Waiting<Server>, aheadMs: Milliseconds) {
    const all = slotsOn(entry.request.servers())
    const held = executionsOf(load)
    const share = shareOf(load, all, held.length)
    const ahead = load.queue.filter(one => one !== entry)
    // why: while its own are served and its debt is repaid, each other organization is served as much at most
    const turnMs = load.queuedMs + Math.max(0, -load.creditMs)
    return {
      ownMs: expectedWait(held, ahead, entry.request.identity, share.slots, now()),
      allMs: Math.min(queuedMs, waiting.size * turnMs) / (all - share.reserved),
      budgetMs: loads.budgetWaitMs(load, aheadMs),
    }
  }

  return {
    organization: (id: string): Load<Server> => loads.of(id),
    budgetOf: (id: string) => loads.budgetOf(id),
    costMs: ({ definition, alike }: AdmissionRequest<Server>): Milliseconds =>
      costs.expect(definition, alike),
    join,
    leave,
    occupy,
    waitsOf,
    /** How many slots an organization may hold. */
    slotsFor: (load: Load<Server>): number =>
      shareOf(load, slotsOn(servers), load.executing.size).slots,
    /** What is executed next; it leaves the queue. */
    next() {
      if (length === 0 || sum(servers.map(freeOn)) === 0) return undefined
      const next = nextTurn(slotsOn(servers))
      if (next) leave(next.load, next.entry)
      return next
    },
    /** Organizations that wait. */
    waiting: waiting as ReadonlySet<Load<Server>>,
    length: () => length,
    executingOn: (server: Server): number => executing.get(server) ?? 0,
    busiest: loads.busiest,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
