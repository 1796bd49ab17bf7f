/** What the log says of replicas: each change of the state of one once, and what to do about it. */
import type { Logger } from 'pino'
import type { CircuitState, Observation, ReplicaState } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { createOutage } from './outage.ts'

const MODES = {
  standby: { level: 'info', text: 'reports run on a hot standby' },
  allowed: {
    level: 'warn',
    text: 'reports run on a writable server, which ALLOW_PRIMARY lets in',
  },
  refused: {
    level: 'error',
    text: 'the server at DATABASE_URL is writable, so no report runs: point DATABASE_URL at a hot standby, or set ALLOW_PRIMARY=true',
  },
} as const

type Fact<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

/** Each line names its replica in the field `replica`. */
export function createLinesOfReplicas(
  log: Logger,
  now: Clock,
): (fact: Fact<'replica-probed' | 'replica-probe-failed' | 'circuit'>) => void {
  const known = new Map<string | undefined, LinesOfOne>()
  return fact => {
    const { replica } = fact
    const lines = known.get(replica) ?? createLinesOfOne(log.child({ replica }), now)
    known.set(replica, lines)
    if (fact.kind === 'circuit') return lines.circuit(fact.state, fact.error)
    if (fact.kind === 'replica-probe-failed') return lines.outage.failed(fact.error)
    lines.outage.answered()
    lines.state(fact.state)
  }
}

type LinesOfOne = ReturnType<typeof createLinesOfOne>

function createLinesOfOne(log: Logger, now: Clock) {
  return {
    state: createStateLines(log),
    circuit: createCircuitLines(log),
    outage: createOutage(log, now, {
      away: 'the replica does not answer the probe; it is asked again and again',
      back: 'the replica answers',
    }),
  }
}

function createCircuitLines(log: Logger): (state: CircuitState, error: unknown) => void {
  let isClosed = true
  return (state, error) => {
    if (state === 'half-open') return
    if ((state === 'closed') === isClosed) return
    isClosed = state === 'closed'
    if (isClosed) log.info('connections to the replica can be made: reports run on it again')
    else log.warn({ err: error }, 'the way to the replica is broken: no report is sent to it')
  }
}

/** Takes every state that a probe saw, writes the changes. */
function createStateLines(log: Logger): (state: ReplicaState) => void {
  let mode: keyof typeof MODES | undefined
  let replayPaused = false
  let lagKnown = true

  return state => {
    const { dataAsOf, lagSeconds } = state
    const fields = { dataAsOf, lagSeconds }

    const newMode = state.inRecovery ? 'standby' : state.usable ? 'allowed' : 'refused'
    if (newMode !== mode) log[MODES[newMode].level](fields, MODES[newMode].text)
    mode = newMode

    if (state.replayPaused !== replayPaused) {
      if (state.replayPaused) {
        log.warn(
          fields,
          'replay is paused, so the data stand still: select pg_wal_replay_resume() on the replica',
        )
      } else log.info(fields, 'replay goes on')
    }
    replayPaused = state.replayPaused

    const isKnown = lagSeconds !== undefined || !state.inRecovery
    if (isKnown !== lagKnown) {
      if (state.heartbeatError !== undefined) {
        log.warn(
          { ...fields, err: state.heartbeatError },
          "the replica's lag is unknown, for its heartbeat cannot be read: see that the role of PROBE_DATABASE_URL may, and that the product writes it",
        )
      } else if (!isKnown) {
        log.warn(
          fields,
          "the replica's lag is unknown: see that it streams from the primary, and that the role of PROBE_DATABASE_URL has pg_read_all_stats",
        )
      } else log.info(fields, "the replica's lag is known")
    }
    lagKnown = isKnown
  }
}
