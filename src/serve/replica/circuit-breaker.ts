/**
 * Whether a server is used: closed is yes, open no, half-open tries a connection beside the requests. It opens
 * when the way to the server is broken. For replicas and key databases; knows neither pg nor timers.
 */
import type { CircuitState } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'

export interface CircuitBreaker {
  state(): CircuitState
  /** Why it is not closed. */
  reason(): unknown
  /** How long it has been closed: Infinity before the first outage; undefined while it is not closed. */
  closedMs(): Milliseconds | undefined
  /** A connection is being tried although it is closed. */
  isInDoubt(): boolean
  /** Nothing was answered for a while: if something was sent meanwhile, a probe is due. */
  isQuiet(): boolean
  /** A request failed on its way. */
  failed(error: unknown): void
  /** The server answers, but no connection to it may be used: opens at once. */
  refused(error: unknown): void
  /** A request was answered, perhaps by an error of PostgreSQL. */
  answered(): void
  /** Something was not answered in time: a connection is tried, and counts as a request. */
  doubt(): void
  /** If it is open, a connection is tried. */
  probeAnswered(): void
  /** The probe could not reach the server. */
  probeFailed(error: unknown): void
}

/** A failed probe opens it only if nothing else was answered for so long. */
const SILENCE_MS: Milliseconds = 500
const QUIET_MS: Milliseconds = 300
/** While the probe fails, a connection is tried now and then: the probe's own way may be the broken one. */
const FIRST_WAIT_MS: Milliseconds = 2000
const LONGEST_WAIT_MS: Milliseconds = 30_000
/** While the probe is answered and connections are refused for good. */
const LONGEST_REFUSED_MS: Milliseconds = 5000

export function createCircuitBreaker(options: {
  /** In a row. */
  readonly failuresToOpen: number
  /** Makes a connection and gives it back. @throws if that fails */
  readonly tryConnection: () => Promise<void>
  /** Connections are broken. */
  readonly onOpen: () => void
  /** And no new one can be made: executions there will not end. */
  readonly onLost?: () => void
  readonly onState: (state: CircuitState, error: unknown) => void
  /** Whether the server refuses every other connection, too, and ends those that exist. */
  readonly isForGood?: (error: unknown) => boolean
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
}): CircuitBreaker {
  const { tryConnection, onLost = () => {}, isForGood = () => false, now, random } = options
  let state: CircuitState = 'closed'
  let reason: unknown
  let failureCount = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  let closedAt = Number.NEGATIVE_INFINITY
  let hasProbeAnswered = false
  let isInDoubt = false
  let waitMs = FIRST_WAIT_MS
  let tryAfter = 0
  let isRefusedForGood = false

  function become(next: CircuitState, error?: unknown): void {
    state = next
    options.onState(next, error)
  }

  function answered(): void {
    failureCount = 0
    answeredAt = now()
  }

  function failed(error: unknown): void {
    failureCount += 1
    if (failureCount >= options.failuresToOpen || isForGood(error)) open(error)
  }

  function open(error: unknown): void {
    if (state !== 'closed') return
    failureCount = 0
    reason = error
    hasProbeAnswered = false
    waitMs = FIRST_WAIT_MS
    isRefusedForGood = isForGood(error)
    become('open', error)
    options.onOpen()
    // why: connections may break while the server is well; then nothing has to wait for the probe
    if (isRefusedForGood) waitLonger()
    else void attempt()
    // why: in doubt, a connection has been tried for a while
    if (isRefusedForGood || isInDoubt) onLost()
  }

  function waitLonger(): void {
    tryAfter = now() + waitMs * (0.5 + random() / 2)
    waitMs = Math.min(isRefusedForGood ? LONGEST_REFUSED_MS : LONGEST_WAIT_MS, waitMs * 2)
  }

  async function attempt(): Promise<void> {
    become('half-open')
    try {
      await tryConnection()
      answered()
      closedAt = now()
      reason = undefined
      become('closed')
    } catch (error) {
      reason = error
      isRefusedForGood = isForGood(error)
      waitLonger()
      become('open', error)
      onLost()
    }
  }

  async function doubt(): Promise<void> {
    if (state !== 'closed' || isInDoubt) return
    isInDoubt = true
    await tryConnection().then(answered, failed)
    isInDoubt = false
  }

  return {
    state: () => state,
    reason: () => reason,
    closedMs: () => (state === 'closed' ? now() - closedAt : undefined),
    isInDoubt: () => isInDoubt,
    isQuiet: () => now() - answeredAt > QUIET_MS,
    failed,
    refused: open,
    answered,
    doubt: () => void doubt(),
    probeAnswered() {
      hasProbeAnswered = true
      answeredAt = now()
      if (state === 'open' && (!isRefusedForGood || now() >= tryAfter)) void attempt()
    },
    probeFailed(error) {
      if (state === 'open' && now() >= tryAfter) void attempt()
      // why: a probe that is never answered while reports are is a fault of its own
      else if (state === 'closed' && hasProbeAnswered && now() - answeredAt >= SILENCE_MS) {
        open(error)
      }
    },
  }
}
