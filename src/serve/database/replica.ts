/** A replica: its server for reports, its probe, and whether it may be used. */
import { ofReplica } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Attempt } from './attempt.ts'
import {
  isDropped,
  isFull,
  isUnavailable,
  replicaProblem,
  transportError,
} from './classify-error.ts'
import { raceTimeout } from './connection.ts'
import { wordsOf } from './error-words.ts'
import { createHealth } from './health.ts'
import type { Health } from './health.ts'
import { openSession } from './pool.ts'
import { createProbe } from './probe.ts'
import type { ProbeOptions } from './probe.ts'
import { degradedReason, unusableReason } from './replica-choice.ts'
import { createReportServer } from './report-server.ts'
import type { ReportServerOptions } from './report-server.ts'
import type { ResultReader } from './result-reader.ts'
import { refusalOf } from './session-settings.ts'

export type Replica = ReturnType<typeof createReplica>

export interface ReplicaAddress {
  /** `host:port` */
  readonly name: string
  readonly url: string
  readonly probeUrl: string
}

/** Time-out of the first attempts to connect. */
const REACH_MS: Milliseconds = 1000
/** After this number of attempts, the configured connection timeout is used: the server may be far away. */
const QUICK_TRIES = 10
/** The probe runs more often; these are for connections that are refused although it succeeds, or while it fails. */
const WAITS = { firstWaitMs: 1000, longestWaitMs: 5000 } as const

export interface ReplicaOptions
  extends
    Omit<ReportServerOptions, 'connectionString' | 'probe'>,
    Omit<ProbeOptions, 'connectionString' | 'random'> {
  /** From 0 to 1. */
  readonly random: () => number
  /** Called after a probe, and when slots may have been added or a server lost. */
  readonly onChange: () => void
}

export function createReplica({ name, url, probeUrl }: ReplicaAddress, options: ReplicaOptions) {
  const { connectTimeoutMs, onChange } = options
  const observe = ofReplica(options.observe, name)
  // why: a Set that changes with each execution would promote what it held: V8 links its old tables to the new one
  const attempts: Array<Pick<Attempt<ResultReader>, 'hasBegun' | 'end'>> = []
  let tries = 0
  let isOpen = false

  /** why: hanging executions may hold all connections of the pool */
  async function reach(): Promise<void> {
    const { currentUrl } = options
    const session = {
      name: 'reports',
      connectionString: url,
      currentUrl,
      connectTimeoutMs,
    } as const
    try {
      await (await openSession(session)).close()
    } catch (error) {
      // why: a full server still responds on existing connections
      if (!isFull(error) || server.pool.totalCount === 0) throw error
      server.noteError(error)
    }
  }

  const health: Health = createHealth({
    ...options,
    ...WAITS,
    first: 'held',
    async tryConnection() {
      tries += 1
      await raceTimeout(tries > QUICK_TRIES ? connectTimeoutMs : REACH_MS, reach())
      tries = 0
    },
    onChange(state, error) {
      // why: open connections are broken, too
      if (state !== 'usable') server.pool.dropIdle()
      if (state === 'excluded') abandon()
      if (state !== 'held' && isOpen !== (state === 'excluded')) {
        isOpen = state === 'excluded'
        observe({ kind: 'circuit', replica: name, isOpen, error })
      }
      onChange()
    },
  })
  const probe = createProbe({
    ...options,
    connectionString: probeUrl,
    connectTimeoutMs: Math.min(connectTimeoutMs, REACH_MS),
    onLate: () => health.doubt(),
    observe(fact) {
      observe(fact)
      if (fact.kind === 'replica-probed') {
        health.probeSucceeded()
        onChange()
      }
      if (fact.kind === 'replica-probe-failed')
        health.probeFailed(fact.error, isUnavailable(fact.error))
    },
  })
  const server = createReportServer({
    ...options,
    connectionString: url,
    probe,
    observe(fact) {
      observe(fact)
      if (fact.kind === 'connection-lost' && isDropped(fact.error)) health.suspect(fact.error)
    },
  })
  const { state, stateAgeMs } = probe
  const candidate = { name, health, state, stateAgeMs }

  /** Executions without a result so far would hang until their time-outs. */
  function abandon(): void {
    const error = Object.assign(new Error('the replica is unreachable'), { code: 'ECONNABORTED' })
    const problem = replicaProblem('replica_unavailable', transportError(error))
    for (const attempt of attempts.filter(one => !one.hasBegun())) attempt.end(problem)
  }

  return {
    ...candidate,
    server,
    probe,
    /** Attempts that hold a slot. */
    attempts,
    /** How many concurrent executions it takes; 0 while it is not usable, or held. */
    slots: () =>
      health.state() === 'usable' && unusableReason(candidate) === undefined ? server.slots() : 0,
    lend: server.lend,
    /** @see degradedReason */
    degraded(): string | undefined {
      const reason = degradedReason(candidate)
      const error = probe.failure()
      return reason === undefined || error === undefined ? reason : `${reason}: ${wordsOf(error)}`
    },
    /** Behind a pooler: whether its role lacks settings that results depend on. */
    isRefused: () => refusalOf(health.reason()) !== undefined,
    /** Several servers behind its name, or a heartbeat that cannot be read. */
    otherFault(): string | undefined {
      const error = state()?.heartbeatError
      const lagUnknown = error === undefined ? undefined : `lag unknown: ${wordsOf(error)}`
      return probe.otherServer() ?? lagUnknown
    },
  }
}
