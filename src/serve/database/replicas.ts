/** Opens the replicas, and executes on them as on one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createStop } from '../../model/stop.ts'
import type { HeartbeatDefinition } from '../../definitions/access-definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { createAdmission } from './admission.ts'
import type { QueryRows } from './connection.ts'
import { createExecute, usableReplicas } from './execute.ts'
import { createReplica, unusableReason, type Replica } from './replica.ts'
import type { ReplicaOptions } from './replica.ts'
import type { ReplicaAddress } from '../../config/addresses.ts'
import { awakeClock } from './timeout.ts'
import { wordsOf } from './classify-error.ts'

/** Waiting requests are reviewed so often. */
const REVIEW_EVERY_MS: Milliseconds = 250
/** The organization of the gateway's own checks in the queue. */
const CHECKS = '(checks)'

interface ReplicasOptions extends Omit<ReplicaOptions, 'onChange' | 'now'> {
  readonly replicas: readonly ReplicaAddress[]
  readonly queueTimeoutMs: Milliseconds
  /** Replicas that are further behind rank last. */
  readonly reportsMaxLagMs: Milliseconds
}

export type Replicas = ReturnType<typeof openReplicas>

export function openReplicas(options: ReplicasOptions) {
  // why: time in which this process is held is not the databases'
  const now = awakeClock
  let onFirstUsable: (() => void) | undefined
  const members = options.replicas.map(address =>
    createReplica(address, { ...options, now, onChange: review }),
  )
  const admission = createAdmission({
    ...options,
    replicas: members,
    slotsOf: replica => replica.slots(),
    now,
  })
  const ranking = {
    ...options,
    loadOf: (one: Replica) => admission.executingOn(one),
  }
  const reviews = setInterval(review, REVIEW_EVERY_MS).unref()

  function review(): void {
    admission.review()
    if (onFirstUsable === undefined) return
    if (!members.some(one => one.slots() > 0 && one.probe.state() !== undefined)) return
    onFirstUsable()
    onFirstUsable = undefined
  }

  /** why: a check waits for a slot as an execution does, since there is a connection for each slot and no other */
  async function onReplica<T>(replica: Replica, work: (read: QueryRows) => Promise<T>): Promise<T> {
    const slot = await admission.acquire({
      organizationId: CHECKS,
      usable: () => (unusableReason(replica) === undefined ? [replica] : []),
      noneUsable: () => new Error(`${replica.name} ${unusableReason(replica)}`),
      isRetry: false,
      stop: createStop(),
    })
    try {
      return await replica.reports.withSession(work)
    } catch (error) {
      // why: without requests so far, no execution has reported the failure
      replica.noteFailure(error)
      throw error
    } finally {
      slot.release()
    }
  }

  return {
    execute: createExecute({ ...ranking, replicas: members, admission, now, wait: sleep }),
    /** The known state of each, without waiting. */
    all: members,
    admission,
    pools: () =>
      members.flatMap(({ name, reports, probe }) => [
        { pool: 'reports' as const, replica: name, ...reports.sessions.use() },
        { pool: 'probe' as const, replica: name, ...probe.pool() },
      ]),
    /** Calls back once, when a usable server is found for the first time. */
    start(onUsable: () => void): void {
      onFirstUsable = onUsable
      for (const { probe } of members) probe.probe()
    },
    /** Lends a connection of the replica to a check. @throws what `work` throws; if there is no slot or connection */
    onReplica,
    /** The result of the first usable replica on which `work` has one; undefined if there is none. Never rejects. */
    async onUsable<T>(
      work: (read: QueryRows) => Promise<T | undefined>,
      onFailure: (error: unknown) => void = () => {},
    ): Promise<T | undefined> {
      for (const replica of usableReplicas(members, undefined, ranking)) {
        const done = await onReplica(replica, work).catch((error: unknown) => {
          onFailure(error)
          return undefined
        })
        if (done !== undefined) return done
      }
      return undefined
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
        members.map(async ({ name, probe, reports, health }) => {
          await probe.probeNow(options.connectTimeoutMs)
          await reports
            .withSession(async () => undefined)
            // why: a server that is excluded meanwhile closes the session that is being made
            .catch((error: unknown) => failures.set(`replica ${name}`, health.reason() ?? error))
        }),
      )
      return failures
    },
    async stop(): Promise<void> {
      clearInterval(reviews)
      await Promise.all(
        members.flatMap(({ probe, reports }) => [probe.stop(), reports.sessions.end()]),
      )
    },
  }
}
