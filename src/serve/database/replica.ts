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
import type { Probe, ProbeOptions } from './probe.ts'
import { degradedReason, unusableReason } from './replica-choice.ts'
import type { Candidate } from './replica-choice.ts'
import { createReportServer } from './report-server.ts'
import type { LendConnection, ReportServer, ReportServerOptions } from './report-server.ts'
import type { ResultReader } from './result-reader.ts'
import { refusalOf } from './session-settings.ts'

export interface Replica extends Candidate {
  readonly server: ReportServer
  readonly probe: Probe
  readonly health: Health
  /** Attempts that hold a slot. */
  readonly attempts: Set<Pick<Attempt<ResultReader>, 'hasBegun' | 'end'>>
  /** How many concurrent executions it takes; 0 while it is not usable, or held. */
  readonly slots: () => number
  readonly lend: LendConnection
  /** @see degradedReason */
  readonly degraded: () => string | undefined
  /** Behind a pooler: whether its role lacks settings that results depend on. */
  readonly isRefused: () => boolean
  /** Several servers behind its name, or a heartbeat that cannot be read. */
  readonly otherFault: () => string | undefined
}

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

export interface ReplicaOptions
  extends
    Omit<ReportServerOptions, 'connectionString' | 'probe'>,
    Omit<ProbeOptions, 'connectionString'> {
  /** From 0 to 1. */
  readonly random: () => number
  readonly executingOn: (replica: Replica) => number
  /** Called after a probe, and when slots may have been added or a server lost. */
  readonly onChange: (replica: Replica) => void
}

export function createReplica(
  { name, url, probeUrl }: ReplicaAddress,
  options: ReplicaOptions,
): Replica {
  const { connectTimeoutMs, now, random } = options
  const observe = ofReplica(options.observe, name)
  let tries = 0
  let isOpen = false

  /** why: hanging executions may hold all connections of the pool */
  async function reach(): Promise<void> {
    const { connectionString, currentUrl } = { ...options, connectionString: url }
    const settings = { name: 'reports', connectionString, currentUrl, connectTimeoutMs } as const
    try {
      await (await openSession(settings)).close()
    } catch (error) {
      // why: a full server still responds on existing connections
      if (!isFull(error) || server.pool.totalCount === 0) throw error
      server.noteError(error)
    }
  }

  const health = createHealth({
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
      options.onChange(replica)
    },
    ...WAITS,
    now,
    random,
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
        options.onChange(replica)
      }
      if (fact.kind === 'replica-probe-failed')
        health.probeFailed(fact.error, isUnavailable(fact.error))
    },
  })
  const server = createReportServer({
    ...options,
    connectionString: url,
    probe,
    onRefused: error => health.exclude(error),
    observe(fact) {
      observe(fact)
      if (fact.kind === 'connection-lost' && isDropped(fact.error)) health.suspect(fact.error)
    },
  })
  const attempts: Replica['attempts'] = new Set()

  /** Executions without a result so far would hang until their time-outs. */
  function abandon(): void {
    const error = Object.assign(new Error('the replica is unreachable'), { code: 'ECONNABORTED' })
    const problem = replicaProblem('replica_unavailable', transportError(error))
    for (const attempt of attempts) if (!attempt.hasBegun()) attempt.end(problem)
  }

  const replica: Replica = {
    name,
    server,
    probe,
    health,
    attempts,
    state: () => probe.state(),
    stateAgeMs: () => probe.stateAgeMs(),
    load: () => options.executingOn(replica) / server.slots(),
    slots: () =>
      health.state() === 'usable' && unusableReason(replica) === undefined ? server.slots() : 0,
    lend: server.lend,
    degraded() {
      const reason = degradedReason(replica)
      const error = probe.failure()
      return reason === undefined || error === undefined ? reason : `${reason}: ${wordsOf(error)}`
    },
    isRefused: () => refusalOf(health.reason()) !== undefined,
    otherFault() {
      const error = probe.state()?.heartbeatError
      const lagUnknown = error === undefined ? undefined : `lag unknown: ${wordsOf(error)}`
      return probe.otherServer() ?? lagUnknown
    },
  }
  return replica
}

/** The probe runs more often; these are for connections that are refused although it succeeds, or while it fails. */
const WAITS = { firstWaitMs: 1000, longestWaitMs: 5000 } as const
