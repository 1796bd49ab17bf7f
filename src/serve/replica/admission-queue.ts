/**
 * Grants execution slots of replicas, and queues requests that wait for one. Knows no pg. An execution never holds
 * one slot while it waits for another.
 */
import type { BusyOrganization } from '../../model/gauges.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createFairQueue } from './fair-queue.ts'
import type { AdmissionRequest, Load, Waiting } from './fair-queue.ts'
import { promiseRetry, QueueTimeoutError, refuse } from './refusal.ts'
import type { AdmissionRefusal } from './refusal.ts'

/** The right to execute on a server now. */
export interface Slot<Server> {
  readonly server: Server
  readonly queueMs: Milliseconds
  /** @param isComplete false if the execution ended early: the next one may take longer */
  release(isComplete: boolean): void
}

export interface AdmissionQueue<Server> {
  /**
   * Waits for a slot.
   * @throws Problem `rate_limited` or `overloaded`, at once if the expected wait is too long; the error of
   *   `noServer`; the signal's reason.
   */
  acquire(request: AdmissionRequest<Server>): Promise<Slot<Server>>
  /** Call it when slots or servers have changed. */
  serve(): void
  executingOn(server: Server): number
  queueLength(): number
  /** Organizations by execution time in the last minute, in descending order. */
  busiest(count: number): BusyOrganization[]
  /** The largest part of that time that one organization has; 0 without executions. */
  busiestRatio(): number
}

/** If more requests of an organization wait, new ones are refused, however short they are. */
const MAX_WAITING = 64
/** The number of slots also changes over time, without an event. */
const SERVE_EVERY_MS: Milliseconds = 500

export function createAdmissionQueue<Server>(options: {
  readonly servers: readonly Server[]
  /** How many concurrent executions the server takes now. */
  readonly slotsOf: (server: Server) => number
  /** Called when a request begins to wait, and regularly while requests wait. */
  readonly onWait: () => void
  readonly queueTimeoutMs: Milliseconds
  /** Monotonic. */
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
  /** Calls back after `ms`, unless cancelled; default `setTimeout`. */
  readonly schedule?: (ms: Milliseconds, callback: () => void) => () => void
}): AdmissionQueue<Server> {
  const { onWait, queueTimeoutMs, now, random, schedule = timer } = options
  const queue = createFairQueue<Server>(options)
  let isTicking = false

  function serve(): void {
    for (let next = queue.next(); next; next = queue.next()) next.entry.admit(next.server)
  }

  /** The error if the request is refused instead of queued. */
  function refusalOf(load: Load<Server>, entry: Waiting<Server>): Error | undefined {
    const { ownMs, allMs } = queue.waitsOf(load, entry)
    if (load.queue.length > MAX_WAITING) return refused('waiting', load, entry, ownMs)
    if (ownMs > queueTimeoutMs) return refused('backlog', load, entry, ownMs)
    return allMs > queueTimeoutMs ? refused('overloaded', load, entry, allMs) : undefined
  }

  function timedOut(load: Load<Server>, entry: Waiting<Server>): Error {
    const { ownMs, allMs } = queue.waitsOf(load, entry)
    // why: if the organization has executions, its own load is the reason
    const reason = load.executing.size > 0 ? 'backlog' : 'overloaded'
    return refused(reason, load, entry, Math.max(ownMs, allMs), QueueTimeoutError)
  }

  function refused(
    reason: AdmissionRefusal,
    load: Load<Server>,
    { costMs, queuedAt }: Waiting<Server>,
    waitMs: Milliseconds,
    CauseError: new (message: string) => Error = Error,
  ): Error {
    const at = now()
    const slots = queue.slotsFor(load)
    const waited = `after ${Math.round(at - queuedAt)} ms`
    const state = `${load.executing.size} executing of ${slots}, ${load.queue.length} waiting`
    const cause = `${reason} ${waited}: the organization has ${state}; all have ${queue.length()} waiting`
    const retryMs = promiseRetry(load, at, waitMs, costMs / slots, random())
    return refuse(reason, retryMs, new CauseError(cause))
  }

  /** Rejects entries without a usable server, and serves the rest. */
  function review(): void {
    for (const load of queue.waiting) {
      const withoutServer = load.queue.filter(({ request }) => request.servers().length === 0)
      for (const entry of withoutServer) {
        queue.leave(load, entry)
        entry.reject(entry.request.noServer())
      }
    }
    serve()
    if (queue.length() > 0) onWait()
  }

  function tick(): void {
    if (isTicking) return
    isTicking = true
    schedule(SERVE_EVERY_MS, () => {
      isTicking = false
      review()
      if (queue.length() > 0) tick()
    })
  }

  function acquire(request: AdmissionRequest<Server>): Promise<Slot<Server>> {
    const { signal } = request
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      if (request.servers().length === 0) return reject(request.noServer())
      const load = queue.organization(request.organizationId)
      const queuedAt = now()
      let cancelTimeout: (() => void) | undefined
      const settle = (): void => {
        cancelTimeout?.()
        signal.removeEventListener('abort', abort)
      }
      const entry: Waiting<Server> = {
        request,
        costMs: queue.costMs(request),
        queuedAt,
        admit(server) {
          settle()
          const end = queue.occupy(load, entry, server)
          const release = (isComplete: boolean): void => {
            end(isComplete)
            serve()
          }
          resolve({ server, queueMs: now() - queuedAt, release })
        },
        reject(reason) {
          settle()
          reject(reason)
        },
      }
      const end = (reason: unknown): void => {
        queue.leave(load, entry)
        entry.reject(reason)
      }
      const abort = (): void => end(signal.reason)

      queue.join(load, entry)
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
    serve: review,
    executingOn: queue.executingOn,
    queueLength: queue.length,
    busiest: queue.busiest,
    busiestRatio: queue.busiestRatio,
  }
}

function timer(ms: Milliseconds, callback: () => void): () => void {
  const timeout = setTimeout(callback, ms)
  return () => clearTimeout(timeout)
}
