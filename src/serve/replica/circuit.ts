/**
 * Whether runs are sent to a replica. It opens where the way there is broken, and is closed again once a
 * connection could be made, so that nobody's report finds out. Knows neither pg nor timers: what happens
 * is told to it.
 */
import type { CircuitState } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'

export interface Circuit {
  /** Runs are sent to a replica whose circuit is closed, and to no other. */
  state(): CircuitState
  /** Why it is not closed. */
  why(): unknown
  /** A run broke on its way. */
  failed(error: unknown): void
  /** The server refuses nobody, but no answer of it could be used: the first time opens the circuit. */
  refused(error: unknown): void
  /** A run was answered, be it by an error of PostgreSQL's. */
  answered(): void
  probed(): void
  /** The probe has waited for a while. */
  late(): void
  /** The probe found nobody. */
  unprobed(error: unknown): void
  /** Nothing was answered for a while: if something was asked meanwhile, the probe had better look. */
  isQuiet(): boolean
  /** How many of so many runs may be under way at once: few at first after an outage. */
  places(max: number): number
}

const FAILURES_TO_OPEN = 3
/** A probe that finds nobody opens the circuit alone, where nothing else was answered for so long. */
const SILENCE_MS: Milliseconds = 500
const QUIET_MS: Milliseconds = 300
/** While the probe finds nobody, a connection is tried now and then all the same: its own way may be the broken one. */
const FIRST_WAIT_MS: Milliseconds = 2000
const LONGEST_WAIT_MS: Milliseconds = 30_000
/** As long as the probe is answered and a connection is refused for good. */
const LONGEST_REFUSED_MS: Milliseconds = 5000
/** After an outage one place more every so often: 2 new connections a second. */
const PLACE_EVERY_MS: Milliseconds = 500

export function createCircuit(options: {
  /** Makes a connection and gives it back. @throws where that cannot be done. */
  readonly tryIt: () => Promise<void>
  /** Connections are broken. */
  readonly onOpen: () => void
  /** And no new one can be made: what runs there will not end. */
  readonly onLost: () => void
  readonly onState: (state: CircuitState, error: unknown) => void
  /** Whether who answered will refuse the next connection, too, and whoever has one. */
  readonly isForGood: (error: unknown) => boolean
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
}): Circuit {
  const { tryIt, onOpen, onLost, onState, isForGood, now, random } = options
  let state: CircuitState = 'closed'
  let why: unknown
  let failures = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  let closedAt = Number.NEGATIVE_INFINITY
  /** Since the circuit was opened last. */
  let probeAnswered = false
  /** A connection is being tried, though the circuit is closed. */
  let inDoubt = false
  let waitMs = FIRST_WAIT_MS
  let tryAfter = 0
  let refusedForGood = false

  function become(next: CircuitState, error?: unknown): void {
    state = next
    onState(next, error)
  }

  function open(error: unknown): void {
    if (state !== 'closed') return
    failures = 0
    why = error
    probeAnswered = false
    waitMs = FIRST_WAIT_MS
    refusedForGood = isForGood(error)
    become('open', error)
    onOpen()
    // why: three connections may break and the server be well; then nobody has to wait for the probe
    if (!refusedForGood) return void attempt()
    waitLonger()
    onLost()
  }

  function waitLonger(): void {
    tryAfter = now() + waitMs * (0.5 + random() / 2)
    waitMs = Math.min(refusedForGood ? LONGEST_REFUSED_MS : LONGEST_WAIT_MS, waitMs * 2)
  }

  async function attempt(): Promise<void> {
    become('half-open')
    try {
      await tryIt()
      closedAt = answeredAt = now()
      failures = 0
      why = undefined
      become('closed')
    } catch (error) {
      why = error
      refusedForGood = isForGood(error)
      waitLonger()
      become('open', error)
      onLost()
    }
  }

  async function doubt(): Promise<void> {
    inDoubt = true
    try {
      await tryIt()
      answeredAt = now()
    } catch {
      // why: the probe says what is wrong, if anything is
    }
    inDoubt = false
  }

  return {
    state: () => state,
    why: () => why,
    refused: open,
    failed(error) {
      failures += 1
      if (failures >= FAILURES_TO_OPEN || isForGood(error)) open(error)
    },
    answered() {
      failures = 0
      answeredAt = now()
    },
    probed() {
      probeAnswered = true
      answeredAt = now()
      if (state === 'open' && (!refusedForGood || now() >= tryAfter)) void attempt()
    },
    late() {
      if (state === 'closed' && !inDoubt) void doubt()
    },
    unprobed(error) {
      if (state === 'open' && now() >= tryAfter) void attempt()
      // why: a probe that never finds anybody while reports run is a fault of its own
      else if (state === 'closed' && probeAnswered && now() - answeredAt >= SILENCE_MS) {
        const isLost = inDoubt
        open(error)
        if (isLost) onLost()
      }
    },
    isQuiet: () => now() - answeredAt > QUIET_MS,
    places: max => Math.min(max, 1 + Math.floor((now() - closedAt) / PLACE_EVERY_MS)),
  }
}
