/** What the log says of the replica: each change of its state once, and what to do about it. */
import type { Logger } from 'pino'
import type { ReplicaState } from '../observation.ts'

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

/** Takes every state that a probe saw, writes the changes. */
export function createReplicaLines(log: Logger): (state: ReplicaState) => void {
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

    if ((lagSeconds !== undefined) !== lagKnown) {
      if (lagSeconds === undefined) {
        log.warn(
          fields,
          "the replica's lag is unknown: see that it streams from the primary, and that the role of PROBE_DATABASE_URL has pg_read_all_stats",
        )
      } else log.info(fields, "the replica's lag is known")
    }
    lagKnown = lagSeconds !== undefined
  }
}
