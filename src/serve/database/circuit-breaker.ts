/**
 * A circuit breaker: closed uses the server, open does not, half-open tries a connection without a request. It
 * opens when the server is unreachable. For replicas and key databases; knows neither pg nor timers.
 */
import type { CircuitState } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'

export interface CircuitBreaker {
  state(): CircuitState
  /** Why it is not closed. */
  reason(): unknown
  /** How long it has been closed: Infinity before the first outage; undefined while it is not closed. */
  closedMs(): Milliseconds | undefined
  /** Closed, but a connection is being tried. */
  isInDoubt(): boolean
  /** No response arrived for a while: if a request is in flight, a probe is due. */
  isQuiet(): boolean
  /** A request failed in transport. */
  failed(error: unknown): void
  /** The server responds, but its connections must not be used: opens at once. */
  refused(error: unknown): void
  /** A response arrived, possibly an error of PostgreSQL. */
  responded(): void
  /** A response is late: tries a connection, which counts as a request. */
  doubt(): void
  /** The probe reached the server. If open, tries a connection. */
  probeSucceeded(): void
  /** The probe could not reach the server. */
  probeFailed(error: unknown): void
}

/** A failed probe opens it only if no other response arrived for this time. */
const SILENCE_MS: Milliseconds = 500
const QUIET_MS: Milliseconds = 300
/** While the probe fails, a connection is tried from time to time: perhaps only the probe is cut off. */
const FIRST_WAIT_MS: Milliseconds = 2000
const LONGEST_WAIT_MS: Milliseconds = 30_000
/** The longest wait while the probe succeeds and connections are refused permanently. */
const LONGEST_REFUSED_MS: Milliseconds = 5000

export function createCircuitBreaker(options: {
  /** Consecutive failures that open it. */
  readonly failuresToOpen: number
  /** Makes a connection and releases it. @throws if that fails */
  readonly tryConnection: () => Promise<void>
  /** Called when it opens: open connections are broken. */
  readonly onOpen: () => void
  /** Called if no new connection can be made either: executions there will not end. */
  readonly onLost?: () => void
  readonly onState: (state: CircuitState, error: unknown) => void
  /** Whether the server refuses every new connection, and ends existing ones. */
  readonly isPermanent?: (error: unknown) => boolean
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
}): CircuitBreaker {
  const { tryConnection, onLost = () => {}, isPermanent = () => false, now, random } = options
  let state: CircuitState = 'closed'
  let reason: unknown
  let failureCount = 0
  let respondedAt = Number.NEGATIVE_INFINITY
  let closedAt = Number.NEGATIVE_INFINITY
  let hasProbeSucceeded = false
  let isInDoubt = false
  let waitMs = FIRST_WAIT_MS
  let tryAfter = 0
  let isRefusalPermanent = false

  function become(next: CircuitState, error?: unknown): void {
    state = next
    options.onState(next, error)
  }

  function responded(): void {
    failureCount = 0
    respondedAt = now()
  }

  function failed(error: unknown): void {
    failureCount += 1
    if (failureCount >= options.failuresToOpen || isPermanent(error)) open(error)
  }

  function open(error: unknown): void {
    if (state !== 'closed') return
    failureCount = 0
    reason = error
    hasProbeSucceeded = false
    waitMs = FIRST_WAIT_MS
    isRefusalPermanent = isPermanent(error)
    become('open', error)
    options.onOpen()
    // why: if only the connections broke, the server is used again without waiting for the probe
    if (isRefusalPermanent) waitLonger()
    else void attempt()
    // why: in doubt, a connection is being tried already
    if (isRefusalPermanent || isInDoubt) onLost()
  }

  function waitLonger(): void {
    tryAfter = now() + waitMs * (0.5 + random() / 2)
    waitMs = Math.min(isRefusalPermanent ? LONGEST_REFUSED_MS : LONGEST_WAIT_MS, waitMs * 2)
  }

  async function attempt(): Promise<void> {
    become('half-open')
    try {
      await tryConnection()
      responded()
      closedAt = now()
      reason = undefined
      become('closed')
    } catch (error) {
      reason = error
      isRefusalPermanent = isPermanent(error)
      waitLonger()
      become('open', error)
      onLost()
    }
  }

  async function doubt(): Promise<void> {
    if (state !== 'closed' || isInDoubt) return
    isInDoubt = true
    await tryConnection().then(responded, failed)
    isInDoubt = false
  }

  return {
    state: () => state,
    reason: () => reason,
    closedMs: () => (state === 'closed' ? now() - closedAt : undefined),
    isInDoubt: () => isInDoubt,
    isQuiet: () => now() - respondedAt > QUIET_MS,
    failed,
    refused: open,
    responded,
    doubt: () => void doubt(),
    probeSucceeded() {
      hasProbeSucceeded = true
      respondedAt = now()
      if (state === 'open' && (!isRefusalPermanent || now() >= tryAfter)) void attempt()
    },
    probeFailed(error) {
      if (state === 'open' && now() >= tryAfter) void attempt()
      // why: if only the probe fails and reports work, the probe is at fault
      else if (state === 'closed' && hasProbeSucceeded && now() - respondedAt >= SILENCE_MS) {
        open(error)
      }
    },
  }
}
