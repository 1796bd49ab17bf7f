/**
 * A replica: its pool for reports, its probe, and whether it may be used. It is usable unless it is excluded, a writable
 * server, or further behind than the report allows.
 */
import type { ReplicaAddress } from '../../config/addresses.ts'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classify, isAnotherServer, isFull, isUnavailable, wordsOf } from './classify-error.ts'
import { reachDatabase } from './connection.ts'
import { createProbe, RENEWED_MS, TRUSTED_MS, type ProbeOptions } from './probe.ts'
import { createReportPool, type ReportPoolOptions } from './report-pool.ts'
import { lagProblem, type Probed } from './peer-check.ts'

export type Replica = ReturnType<typeof createReplica>

export interface ReplicaOptions
  extends
    Omit<ReportPoolOptions, 'connectionString' | 'probe'>,
    Omit<ProbeOptions, 'connectionString'> {
  /** Called when slots may have been added or a server lost. */
  readonly onChange: () => void
}

/** Adds `replica`, the `host:port` of a database, to each observation. */
export function ofReplica(observe: Observe, replica: string): Observe {
  // measured: a copy of each observation takes 2 us
  return fact => observe(Object.assign(fact, { replica }))
}

/** So long after a refused connection, the pool keeps the connections that it has. */
const FULL_MS: Milliseconds = 5000

export function createReplica({ name, url, probeUrl }: ReplicaAddress, options: ReplicaOptions) {
  const observe = ofReplica(options.observe, name)
  const { now, poolSize } = options
  let fullAt = Number.NEGATIVE_INFINITY
  let isOpen = false

  const probe = createProbe({ ...options, connectionString: probeUrl, observe })
  const reports = createReportPool({ ...options, connectionString: url, probe, observe })
  const health: Health = createHealth(
    () =>
      reachDatabase({ ...options, name: 'reports', connectionString: url }).catch(
        (error: unknown) => {
          if (!respondsWhenFull(error)) throw error
        },
      ),
    (state, error) => {
      // why: open connections are broken, too
      if (state === 'held') reports.sessions.dropIdle()
      // why: executions without a result so far would hang until their time-outs
      if (state === 'excluded') reports.sessions.dropSilent(error)
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
    if (!isFull(error) || reports.sessions.count() === 0) return false
    fullAt = now()
    return true
  }

  return {
    ...candidate,
    state: probe.state,
    reports,
    /** How many concurrent executions it takes; 0 while it is not usable, or held. */
    slots(): number {
      if (health.state() !== 'usable' || unusableReason(candidate) !== undefined) return 0
      // why: later, sessions of other clients may have ended, or the limit may have been raised
      if (now() - fullAt > FULL_MS) return poolSize
      return Math.min(poolSize, Math.max(1, reports.sessions.count()))
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

/** What is known of a replica. */
export interface Candidate {
  readonly health: Pick<Health, 'state' | 'reason'>
  readonly probe: Probed
}

/** Why it cannot take an execution, for the log; undefined if it can. */
export function unusableReason(
  { health, probe }: Candidate,
  maxLagMs?: Milliseconds,
): string | undefined {
  const state = probe.state()
  if (health.state() === 'excluded') {
    if (state === undefined) return NEVER_REACHED
    const ageMs = probe.stateAgeMs()
    // why: the probe has its own role and connection, which may work
    if (ageMs >= TRUSTED_MS) return `cannot be reached, ${ageText(ageMs)}`
    if (state.usable) return `no connection for reports: ${wordsOf(health.reason())}`
  }
  // why: without a probe an execution checks recovery in its own transaction, but it cannot check the lag
  if (state?.usable === false) return 'is not in recovery, and ALLOW_PRIMARY is not set'
  // why: an older state is renewed before the execution
  const ageMs = Math.min(probe.stateAgeMs(), RENEWED_MS)
  return maxLagMs === undefined ? undefined : lagProblem(state, ageMs, maxLagMs)
}

/** Why it cannot take an execution or its state is not known, for `/readyz`. */
export function degradedReason(candidate: Candidate): string | undefined {
  const { health, probe } = candidate
  const reason = unusableReason(candidate)
  if (reason !== undefined) return reason
  const isNew = health.state() === 'held' && health.reason() === undefined
  if (probe.state() === undefined || isNew) return NEVER_REACHED
  return probe.stateAgeMs() < TRUSTED_MS ? undefined : ageText(probe.stateAgeMs())
}

const NEVER_REACHED = 'not reached since the start'

function ageText(ageMs: Milliseconds): string {
  return `last response ${Math.round(ageMs / 1000)} s ago`
}

/** Held: nothing is sent there until it is known whether a connection can be made. */
type HealthState = 'usable' | 'held' | 'excluded'

export type Health = ReturnType<typeof createHealth>

/** @param tryConnection makes a connection as the pool does, and throws if that fails */
export function createHealth(
  tryConnection: () => Promise<void>,
  onChange: (state: HealthState, error: unknown) => void,
) {
  // why: a role without rights must not be taken for usable because the probe's works
  let state: HealthState = 'held'
  let reason: unknown
  /** The last connection that is being tried. */
  let trial: symbol | undefined

  function become(next: HealthState, error?: unknown): void {
    reason = error
    if (state === next) return
    state = next
    onChange(next, error)
  }

  async function attempt(): Promise<void> {
    const mine = (trial = Symbol())
    try {
      await tryConnection()
      become('usable')
    } catch (error) {
      if (trial === mine || state !== 'usable') become('excluded', error)
    }
    if (trial === mine) trial = undefined
  }

  return {
    // why: perhaps only the connection of the probe is slow
    probeLate: (): void => void (state === 'usable' && (trial ?? attempt())),
    // why: a connection that was tried before the server responded may hang
    probeSucceeded: (): void => void (state === 'usable' || attempt()),
    probeFailed(error: unknown): void {
      const isUnreachable = isUnavailable(error)
      // why: neither the probe nor a new connection got a response in half a second
      if (isUnreachable && trial !== undefined) become('excluded', error)
      else if (isUnreachable || state !== 'usable') void (trial ?? attempt())
    },
    state: () => state,
    /** Why it is not usable. */
    reason: () => reason,
    /** A request failed in transport: tries a connection, and holds it meanwhile. */
    suspect(error: unknown): void {
      if (state === 'excluded') return
      become('held', error)
      void (trial ?? attempt())
    },
  }
}
