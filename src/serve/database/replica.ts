/** A replica: its server for reports, its probe, and whether it may be used. */
import { ofReplica } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classify, isAnotherServer, isFull, wordsOf } from './classify-error.ts'
import { reachServer } from './connection.ts'
import { createHealth, type Health } from './health.ts'
import { createProbe, type ProbeOptions } from './probe.ts'
import { degradedReason, unusableReason } from './replica-choice.ts'
import { createReportServer, type ReportServerOptions } from './report-server.ts'

export type Replica = ReturnType<typeof createReplica>

export interface ReplicaServer {
  /** `host:port` */
  readonly name: string
  readonly url: string
  readonly probeUrl: string
}

export interface ReplicaOptions
  extends
    Omit<ReportServerOptions, 'connectionString' | 'probe'>,
    Omit<ProbeOptions, 'connectionString'> {
  /** Called when slots may have been added or a server lost. */
  readonly onChange: () => void
}

/** So long after a refused connection, the pool keeps the connections that it has. */
const FULL_MS: Milliseconds = 5000

export function createReplica({ name, url, probeUrl }: ReplicaServer, options: ReplicaOptions) {
  const observe = ofReplica(options.observe, name)
  const { now, poolSize } = options
  let fullAt = Number.NEGATIVE_INFINITY
  let isOpen = false

  const probe = createProbe({ ...options, connectionString: probeUrl, observe })
  const server = createReportServer({ ...options, connectionString: url, probe, observe })
  const health: Health = createHealth(
    () =>
      reachServer('reports', { ...options, connectionString: url }).catch((error: unknown) => {
        if (!respondsWhenFull(error)) throw error
      }),
    (state, error) => {
      // why: open connections are broken, too
      if (state === 'held') server.pool.dropIdle()
      // why: executions without a result so far would hang until their time-outs
      if (state === 'excluded') server.pool.dropSilent(error)
      if (state !== 'held' && isOpen !== (state === 'excluded')) {
        isOpen = state === 'excluded'
        observe({ kind: 'circuit', replica: name, isOpen, error })
      }
      options.onChange()
    },
  )
  probe.watch(health)
  const candidate = { name, health, probe }

  /** why: a full server still responds on existing connections */
  function respondsWhenFull(error: unknown): boolean {
    if (!isFull(error) || server.pool.count() === 0) return false
    fullAt = now()
    return true
  }

  return {
    ...candidate,
    state: probe.state,
    server,
    /** How many concurrent executions it takes; 0 while it is not usable, or held. */
    slots(): number {
      if (health.state() !== 'usable' || unusableReason(candidate) !== undefined) return 0
      // why: later, sessions of other clients may have ended, or the limit may have been raised
      if (now() - fullAt > FULL_MS) return poolSize
      return Math.min(poolSize, Math.max(1, server.pool.count()))
    },
    /** An execution or a check has failed there. */
    noteFailure(error: unknown): void {
      const { remedy, problem } = classify(error)
      probe.statementFailed(problem.cause)
      if (remedy === 'none' || remedy === 'conflict' || respondsWhenFull(problem.cause)) return
      // why: nothing speaks against the probed one, and to hold it would close its idle connections
      if (isAnotherServer(problem.cause)) return
      health.suspect(problem.cause)
      // why: until the probe notices it too, every execution sent there needs a retry
      probe.probe()
    },
    /** @see degradedReason */
    degraded(): string | undefined {
      const reason = degradedReason(candidate)
      const error = probe.failure()
      return reason === undefined || error === undefined ? reason : `${reason}: ${wordsOf(error)}`
    },
    /** Several servers behind its name, or a heartbeat that cannot be read. */
    otherFault(): string | undefined {
      const error = probe.state()?.heartbeatError
      const lagUnknown = error === undefined ? undefined : `lag unknown: ${wordsOf(error)}`
      return probe.otherServer() ?? lagUnknown
    },
  }
}
