/** Opens every replica with its pool, probe and circuit breaker. */
import { setTimeout as wait } from 'node:timers/promises'
import type { HeartbeatDefinition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { ofReplica } from '../../model/observation.ts'
import type { PoolUse } from '../../model/gauges.ts'
import type { PoolName } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { createAdmission } from './admission.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { createProbe } from './probe.ts'
import type { Probe, ProbedServer, ProbeOptions } from './probe.ts'
import { raceTimeout } from './connection.ts'
import { wordsOf } from './fault.ts'
import { createReplica } from './replica.ts'
import type { Replica, ReplicaOptions } from './replica.ts'
import { createReplicas } from './attempts.ts'
import type { Member } from './attempts.ts'
import { createRetryBudget } from './retry-budget.ts'
import { degradedReason, unusableReason } from './replica-choice.ts'
import { refusalOf } from './session-settings.ts'
import { isUnavailable, isDropped } from './classify-error.ts'

/** A replica with its pool, probe and circuit breaker. */
interface OpenReplica extends Member, ProbedServer {
  readonly probe: Probe
  readonly replica: Replica
  /** How many concurrent executions it takes; 0 while it is not usable. */
  readonly slots: () => number
  /** @see degradedReason */
  readonly degraded: () => string | undefined
  /** Behind a pooler: whether its role lacks settings that results depend on. */
  readonly isRefused: () => boolean
  /** Write privileges of its role, with the SQL that revokes them. */
  readonly writePrivileges: () => string | undefined
  /** Several servers, collations, or the heartbeat. */
  readonly otherFault: () => string | undefined
}

interface ReplicaAddress {
  /** `host:port` */
  readonly name: string
  readonly url: string
  readonly probeUrl: string
}

const FAILURES_TO_OPEN = 3
/** Time-out of the first attempts to connect. */
const REACH_MS: Milliseconds = 1000
/** Waiting requests are reviewed so often. */
const REVIEW_EVERY_MS: Milliseconds = 250
/** After this number of attempts, the configured connection timeout is used: the server may be far away. */
const QUICK_TRIES = 10

interface ReplicasOptions
  extends
    Omit<ReplicaOptions, 'connectionString' | keyof ProbedServer>,
    Omit<ProbeOptions, 'connectionString'> {
  readonly replicas: readonly ReplicaAddress[]
  readonly queueTimeoutMs: Milliseconds
  readonly reportsMaxLagMs: Milliseconds
  /** From 0 to 1. */
  readonly random: () => number
}

export function openReplicas(options: ReplicasOptions) {
  const { connectTimeoutMs, observe, random, elapsed = () => performance.now() } = options
  let onFirstUsable: (() => void) | undefined
  const members = options.replicas.map(open)
  const admission = createAdmission<OpenReplica>({
    servers: members,
    slotsOf: member => member.slots(),
    onWait: () => members.forEach(({ replica }) => replica.onQueued()),
    queueTimeoutMs: options.queueTimeoutMs,
    now: elapsed,
  })
  const reviews = setInterval(() => admission.review(), REVIEW_EVERY_MS).unref()
  const all = createReplicas({
    members,
    admission,
    budget: createRetryBudget(),
    observe,
    now: elapsed,
    reportsMaxLagMs: options.reportsMaxLagMs,
    random,
    wait: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
  })

  function notifyUsable(): void {
    onFirstUsable?.()
    onFirstUsable = undefined
  }

  function open({ name, url, probeUrl }: ReplicaAddress): OpenReplica {
    const observeReplica = ofReplica(observe, name)
    let tries = 0
    const circuit = createCircuitBreaker({
      failuresToOpen: FAILURES_TO_OPEN,
      async tryConnection() {
        tries += 1
        await raceTimeout(tries > QUICK_TRIES ? connectTimeoutMs : REACH_MS, replica.reach())
        tries = 0
      },
      onOpen: () => replica.dropIdle(),
      onLost: () => all.abandon(name),
      onState(state, error) {
        observe({ kind: 'circuit', replica: name, state, error })
        admission.review()
      },
      isPermanent: isDropped,
      now: elapsed,
      random,
    })
    const probe = createProbe({
      ...options,
      connectionString: probeUrl,
      connectTimeoutMs: Math.min(connectTimeoutMs, REACH_MS),
      onLate: () => circuit.doubt(),
      observe(fact) {
        observeReplica(fact)
        if (fact.kind === 'replica-probed') {
          circuit.probeSucceeded()
          if (fact.state.usable) notifyUsable()
        }
        if (fact.kind === 'replica-probe-failed' && isUnavailable(fact.error))
          circuit.probeFailed(fact.error)
      },
    })
    const replica = createReplica({
      ...options,
      connectionString: url,
      closedMs: () => circuit.closedMs(),
      onMore: () => admission.review(),
      onRefused: error => circuit.refused(error),
      ...probe,
      observe(fact) {
        observeReplica(fact)
        if (fact.kind === 'connection-lost' && isDropped(fact.error)) circuit.failed(fact.error)
      },
    })
    const member: OpenReplica = {
      ...probe,
      name,
      circuit,
      probe,
      replica,
      slots: () => (unusableReason(member) === undefined ? replica.slots() : 0),
      load: () => admission.executingOn(member) / replica.slots(),
      writePrivileges: () => replica.writePrivileges(),
      otherFault() {
        const error = probe.state()?.heartbeatError
        const lagUnknown = error === undefined ? undefined : `lag unknown: ${wordsOf(error)}`
        return probe.otherServer() ?? probe.collations() ?? lagUnknown
      },
      probeNow: () => probe.probe(),
      degraded() {
        const reason = degradedReason(member)
        const error = probe.failure()
        return reason === undefined || error === undefined ? reason : `${reason}: ${wordsOf(error)}`
      },
      isRefused: () => refusalOf(circuit.reason()) !== undefined,
    }
    return member
  }

  return {
    ...all,
    /** The known state of each, without waiting. */
    candidates: members,
    admission,
    pools: (): Array<{ readonly pool: PoolName; readonly replica: string } & PoolUse> =>
      members.flatMap(({ name, replica, probe }) => [
        { pool: 'reports', replica: name, ...replica.pool() },
        { pool: 'probe', replica: name, ...probe.pool() },
      ]),
    /** Calls back once, when a usable server is found for the first time. */
    start(onUsable: () => void): void {
      onFirstUsable = onUsable
      for (const { probe } of members) probe.probe()
    },
    /** The finding of the first usable replica that cannot execute the heartbeat; undefined also if none is usable. */
    async checkHeartbeat({ file, text }: HeartbeatDefinition): Promise<FileFinding | undefined> {
      for (const member of members) {
        if (unusableReason(member) !== undefined) continue
        const error = await member.probe.heartbeatError(text).catch(() => undefined)
        if (error !== undefined) return { file, line: undefined, message: wordsOf(error) }
      }
      return undefined
    },
    /** Probes each replica, and connects to it as for a report. @returns failures, by the name of the check in readiness */
    async check(): Promise<Map<string, unknown>> {
      const failures = new Map<string, unknown>()
      await Promise.all(
        members.map(async ({ name, probe, replica }) => {
          await probe.probeAnew(connectTimeoutMs)
          await replica
            .lend(async () => undefined)
            .catch((error: unknown) => failures.set(`replica ${name}`, error))
        }),
      )
      return failures
    },
    async stop(): Promise<void> {
      clearInterval(reviews)
      await Promise.all(members.flatMap(({ probe, replica }) => [probe.stop(), replica.close()]))
    },
  }
}
