/**
 * The requests of all organizations in the order of service. Chooses the next one and its server, and estimates how
 * long each would wait. While others compete, an organization holds at most a quarter of the slots. With four slots
 * or more, a quarter is reserved for organizations that hold none.
 *
 * The order is deficit round robin: competing organizations get equal execution time. The cost of an execution is
 * unknown at its beginning, so an estimate is charged then and corrected at the end. An organization in debt waits
 * until the others have caught up.
 *
 * @see ../../decisions/0014-admission-by-organization.md
 * @see https://en.wikipedia.org/wiki/Deficit_round_robin
 */
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createExecutionCosts, expectedWait } from './execution-costs.ts'
import type { Executing } from './execution-costs.ts'
import { createOrganizationLoads } from './organization-loads.ts'
import type { OrganizationLoad } from './organization-loads.ts'

export interface AdmissionRequest<Server> {
  readonly organizationId: string
  /** `Definition.name` */
  readonly definition: string
  /** @see StatementRequest */
  readonly similarityKey: string
  /** Requests with the same identity never execute concurrently. */
  readonly identity: string
  /** Usable servers, with or without a free slot, the best first. */
  readonly servers: () => readonly Server[]
  /** The error if no server is usable. */
  readonly noServer: () => Error
  /** It was admitted before and lost its server: it is never refused, and goes first. */
  readonly isRetry: boolean
  /** Its reason is what `acquire` rejects with. */
  readonly signal: AbortSignal
}

/** A request in the queue of its organization. */
export interface Waiting<Server> {
  readonly request: AdmissionRequest<Server>
  /** Expected execution time. */
  readonly costMs: Milliseconds
  readonly queuedAt: Milliseconds
  readonly admit: (server: Server) => void
  readonly reject: (reason: unknown) => void
}
export type Load<Server> = OrganizationLoad<Waiting<Server>>

/** With fewer slots none is reserved. */
const MIN_SLOTS_WITH_RESERVE = 4
/** Short executions of one organization are served together up to this time. A small value makes short turns. */
const QUANTUM_MS: Milliseconds = 10
/** Maximum debt: one long report must not block its organization. */
const MAX_DEBT_MS: Milliseconds = 10_000

export function createFairQueue<Server>(options: {
  readonly servers: readonly Server[]
  readonly slotsOf: (server: Server) => number
  readonly now: Clock
}) {
  const { servers, slotsOf, now } = options
  const costs = createExecutionCosts()
  const loads = createOrganizationLoads<Waiting<Server>>(now)
  /** Waiting organizations, in the order of turns. */
  const waiting = new Set<Load<Server>>()
  const executing = new Map<Server, number>(servers.map(server => [server, 0]))
  let length = 0
  let queuedMs: Milliseconds = 0

  const slotsOn = (some: readonly Server[]): number => Math.max(1, sum(some.map(slotsOf)))
  const freeOn = (server: Server): number => Math.max(0, slotsOf(server) - executing.get(server)!)

  // why: executions that hang on an unreachable server do not count against the share
  const executionsOf = ({ executing: all }: Load<Server>): Executing[] =>
    [...all].filter(({ server }) => slotsOf(server as Server) > 0)

  /** How many of the slots it may hold, and how many free ones are reserved for others. */
  function shareOf(load: Load<Server>, slots: number, heldCount: number) {
    if (!loads.isContended(load)) return { slots, reserved: 0 }
    const quarter = Math.floor(slots / 4)
    const hasReserve = slots >= MIN_SLOTS_WITH_RESERVE && heldCount > 0
    return { slots: Math.max(1, quarter), reserved: hasReserve ? quarter : 0 }
  }

  /** The first entry of its queue that can execute now, with a server. */
  function servable(load: Load<Server>, slots: number) {
    const held = executionsOf(load)
    if (held.length >= shareOf(load, slots, held.length).slots) return undefined
    for (const entry of load.queue) {
      const { identity } = entry.request
      if (held.some(one => one.identity === identity)) continue
      // why: only slots of usable replicas count for the share and the reserve
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

  /** The next entry to serve, with its cost charged; undefined if none can be served. */
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
      // why: skips all rounds in which nothing could be served
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
    // why: with an empty queue credit expires, a debt does not
    if (load.queue.length === 0 && waiting.delete(load)) load.creditMs = Math.min(0, load.creditMs)
  }

  function count(load: Load<Server>, { costMs }: Waiting<Server>, by: 1 | -1): void {
    load.queuedMs += by * costMs
    queuedMs += by * costMs
    length += by
    loads.touch(load)
  }

  /** @returns a function that ends the execution; its argument is false if it ended early */
  function occupy(load: Load<Server>, entry: Waiting<Server>, server: Server) {
    const { request, costMs } = entry
    const startedAt = now()
    const execution = { server, identity: request.identity, startedAt, expectedMs: costMs }
    load.executing.add(execution)
    loads.touch(load)
    executing.set(server, executing.get(server)! + 1)
    return (isComplete: boolean): void => {
      if (!load.executing.delete(execution)) return
      const durationMs = now() - startedAt
      executing.set(server, executing.get(server)! - 1)
      loads.executed(load, durationMs)
      charge(load, durationMs - costMs)
      // why: without competitors an organization incurs no debt
      if (!loads.isContended(load)) load.creditMs = 0
      // why: the duration of an execution that ended early is a lower bound
      if (isComplete || durationMs > costMs) {
        costs.measured(request.definition, request.similarityKey, durationMs)
      }
    }
  }

  /** How long an entry would wait: for its own organization, and for all organizations. */
  function waitsOf(load: Load<Server>, entry: Waiting<Server>) {
    const all = slotsOn(entry.request.servers())
    const held = executionsOf(load)
    const share = shareOf(load, all, held.length)
    const ahead = load.queue.filter(one => one !== entry)
    // why: while its queue is served and its debt repaid, each other organization gets at most the same time
    const turnMs = load.queuedMs + Math.max(0, -load.creditMs)
    return {
      ownMs: expectedWait(held, ahead, entry.request.identity, share.slots, now()),
      allMs: Math.min(queuedMs, waiting.size * turnMs) / (all - share.reserved),
    }
  }

  return {
    organization: (id: string): Load<Server> => loads.of(id),
    costMs: ({ definition, similarityKey }: AdmissionRequest<Server>): Milliseconds =>
      costs.expect(definition, similarityKey),
    join,
    leave,
    occupy,
    waitsOf,
    /** How many slots an organization may hold. */
    slotsFor: (load: Load<Server>): number =>
      shareOf(load, slotsOn(servers), load.executing.size).slots,
    /** Removes the next entry to execute from the queue. */
    next() {
      if (length === 0 || sum(servers.map(freeOn)) === 0) return undefined
      const next = nextTurn(slotsOn(servers))
      if (next) leave(next.load, next.entry)
      return next
    },
    /** Waiting organizations. */
    waiting: waiting as ReadonlySet<Load<Server>>,
    length: () => length,
    executingOn: (server: Server): number => executing.get(server) ?? 0,
    busiest: loads.busiest,
    busiestRatio: loads.busiestRatio,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
