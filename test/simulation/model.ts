/**
 * A discrete-event model of gateways and replicas, in virtual time. Admission is the gateway's own queue. A gateway
 * has one processor; the processors of a replica are shared equally by its executions.
 */
import { createAdmissionQueue } from '../../src/serve/replica/admission-queue.ts'
import type { Milliseconds } from '../../src/model/terms.ts'

/** A request that is executed. */
export interface Pull {
  readonly atMs: Milliseconds
  readonly organization: string
  /** By the hash of the key. */
  readonly gateway: number
  /** Time of its execution alone on a replica. */
  readonly demandMs: Milliseconds
}

export interface Machines {
  readonly gateways: number
  readonly replicas: number
  /** `REPORT_POOL_SIZE`: of each gateway, on each replica. */
  readonly poolSize: number
  readonly coresOfReplica: number
  /** Processor time of a gateway per request. */
  readonly gatewayMs: Milliseconds
  readonly queueTimeoutMs: Milliseconds
}

export interface Outcome {
  /** Of the pulls that were answered, from arrival to response. */
  readonly latenciesMs: readonly Milliseconds[]
  /** 429 and 503. */
  readonly refused: number
  /** Part of the processors' time that was used, until the last event. */
  readonly gatewayLoad: number
  readonly replicaLoad: number
}

interface TimedEvent {
  readonly ms: Milliseconds
  action: () => void
}

/** @param pulls in order of time */
export async function simulate(
  machines: Machines,
  pulls: readonly Pull[],
  random: () => number,
): Promise<Outcome> {
  let nowMs = 0
  const later: TimedEvent[] = []
  function at(ms: Milliseconds, action: () => void): () => void {
    const event: TimedEvent = { ms: Math.max(ms, nowMs), action }
    later.splice(later.findLastIndex(one => one.ms <= event.ms) + 1, 0, event)
    return () => void (event.action = () => {})
  }

  const replicas = Array.from({ length: machines.replicas }, () =>
    createSharedProcessors(machines.coresOfReplica, () => nowMs, at),
  )
  const names = replicas.map((_, index) => index)
  const gateways = Array.from({ length: machines.gateways }, () => ({
    freeAtMs: 0,
    admission: createAdmissionQueue<number>({
      servers: names,
      slotsOf: () => machines.poolSize,
      onWait: () => {},
      queueTimeoutMs: machines.queueTimeoutMs,
      budget: undefined,
      now: () => nowMs,
      random,
      schedule: (ms, callback) => at(nowMs + ms, callback),
    }),
  }))
  const latenciesMs: Milliseconds[] = []
  let refused = 0

  async function pull(one: Pull, serial: number): Promise<void> {
    const { admission } = gateways[one.gateway]!
    try {
      const slot = await admission.acquire({
        organizationId: one.organization,
        definition: 'x',
        similarityKey: one.organization,
        identity: String(serial),
        servers: () =>
          names.toSorted((a, b) => admission.executingOn(a) - admission.executingOn(b)),
        noServer: () => new Error('no server'),
        isRetry: false,
        signal: new AbortController().signal,
      })
      await replicas[slot.server]!.execute(one.demandMs)
      slot.release(true)
      latenciesMs.push(nowMs - one.atMs)
    } catch {
      refused += 1
    }
  }

  function arrive(one: Pull, serial: number): void {
    const gateway = gateways[one.gateway]!
    gateway.freeAtMs = Math.max(gateway.freeAtMs, nowMs) + machines.gatewayMs
    at(gateway.freeAtMs, () => void pull(one, serial))
  }

  let next = 0
  while (latenciesMs.length + refused < pulls.length) {
    // why: callbacks of an event run as microtasks, before the time advances
    await new Promise(setImmediate)
    const arrival = pulls[next]
    const first = later[0]
    if (arrival !== undefined && (first === undefined || arrival.atMs <= first.ms)) {
      nowMs = arrival.atMs
      arrive(arrival, next)
      next += 1
    } else if (first !== undefined) {
      later.shift()
      nowMs = first.ms
      first.action()
    }
  }
  const usedMs = replicas.reduce((sum, one) => sum + one.usedMs(), 0)
  return {
    latenciesMs,
    refused,
    gatewayLoad: (pulls.length * machines.gatewayMs) / machines.gateways / nowMs,
    replicaLoad: usedMs / (machines.replicas * machines.coresOfReplica * nowMs),
  }
}

/** Each execution gets one processor, or an equal part of all if there are more executions. */
function createSharedProcessors(
  cores: number,
  now: () => Milliseconds,
  at: (ms: Milliseconds, action: () => void) => () => void,
) {
  let active: Array<{ leftMs: Milliseconds; readonly done: () => void }> = []
  let sinceMs = 0
  let usedMs = 0
  let cancel = (): void => {}
  const speed = (): number => Math.min(1, cores / active.length)

  function advance(): void {
    const passedMs = (now() - sinceMs) * speed()
    sinceMs = now()
    if (active.length === 0) return
    usedMs += passedMs * active.length
    for (const one of active) one.leftMs -= passedMs
    const ended = active.filter(one => one.leftMs < 1e-6)
    active = active.filter(one => one.leftMs >= 1e-6)
    for (const one of ended) one.done()
  }

  function plan(): void {
    cancel()
    if (active.length === 0) return
    const leastMs = Math.min(...active.map(({ leftMs }) => leftMs))
    cancel = at(now() + leastMs / speed(), () => {
      advance()
      plan()
    })
  }

  return {
    usedMs: () => usedMs,
    execute: (demandMs: Milliseconds) =>
      new Promise<void>(done => {
        advance()
        active.push({ leftMs: demandMs, done })
        plan()
      }),
  }
}
