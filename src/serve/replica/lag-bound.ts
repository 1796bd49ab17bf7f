/**
 * From what probes read of a standby to how old its data are: a bound that never understates. Remembers
 * messages of the primary, because a message proves something only once its WAL is replayed.
 *
 * Instants are the primary's until the end; there they become those of the standby's clock.
 */
import type { ReplicaState } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

/** What a probe reads; instants are milliseconds since the epoch, positions bytes of WAL. */
export interface ProbeRow {
  readonly in_recovery: boolean
  readonly replay_paused: boolean
  /** The role may not see the WAL receiver. */
  readonly hidden: boolean
  /** By the clock of the server that was asked, as `received_ms`. */
  readonly now_ms: string
  /** How far it has replayed. */
  readonly replayed: string | null
  /** When the last commit that it has replayed was made; by the primary's clock, as `sent_ms`. */
  readonly replayed_ms: string | null
  /** The last message of the primary: where its WAL ended when it sent it. Null while nothing streams. */
  readonly end: string | null
  readonly timeline: string | null
  readonly sent_ms: string | null
  readonly received_ms: string | null
}

/** What the row says that the product writes: by the primary's clock, undefined where it cannot be read. */
export interface Heartbeat {
  readonly writtenMs: Milliseconds | undefined
  /** Why it cannot. */
  readonly error?: unknown
}

type LagBound = (row: ProbeRow, heartbeat?: Heartbeat) => ReplicaState

/** Of one server. @param allowPrimary a writable server is the primary, and never lags */
export function createLagBound(allowPrimary: boolean): LagBound {
  const messages = createMessages()
  const ahead = createAhead()

  return (row, heartbeat) => {
    const nowMs = Number(row.now_ms)
    if (!row.in_recovery) return writable(nowMs, allowPrimary)
    const message = messageIn(row)
    if (message) {
      messages.add(message)
      ahead.heard(message.sentMs, nowMs)
      ahead.atLeast(message.sentMs - Number(row.received_ms))
    }
    // why: a standby's message says how far that one is, a commit always what the primary has made
    const proved = heartbeat
      ? heartbeat.writtenMs
      : row.replayed === null
        ? undefined
        : messages.shownAt(BigInt(row.replayed))
    const replayedMs = row.replayed_ms === null ? undefined : Number(row.replayed_ms)
    const shown = [proved, replayedMs].filter(instant => instant !== undefined)
    for (const instant of shown) ahead.atLeast(instant - nowMs)
    const shownMs = shown.length === 0 ? undefined : Math.max(...shown) - ahead.ms()
    const isKnown = heartbeat ? heartbeat.writtenMs !== undefined : !row.hidden
    return {
      inRecovery: true,
      usable: true,
      dataAsOf: shownMs === undefined ? undefined : new Date(shownMs).toISOString(),
      lagSeconds: shownMs === undefined || !isKnown ? undefined : (nowMs - shownMs) / 1000,
      replayPaused: row.replay_paused,
      ...(heartbeat?.error === undefined ? {} : { heartbeatError: heartbeat.error }),
    }
  }
}

function writable(nowMs: Milliseconds, allowPrimary: boolean): ReplicaState {
  return {
    inRecovery: false,
    usable: allowPrimary,
    // why: one that was promoted beside a primary that lives on knows nothing of what that one writes
    dataAsOf: allowPrimary ? new Date(nowMs).toISOString() : undefined,
    lagSeconds: allowPrimary ? 0 : undefined,
    replayPaused: false,
  }
}

function messageIn({ end, timeline, sent_ms, received_ms }: ProbeRow): Message | undefined {
  if (end === null || sent_ms === null || received_ms === null) return undefined
  return { end: BigInt(end), timeline, sentMs: Number(sent_ms) }
}

const REMEMBERED_MS = 300_000

/**
 * By how much the primary's clock is ahead of the standby's, at least: no commit is replayed before it was made.
 * Uncorrected it would make the lag too small, and below zero. A clock behind makes it too large, which
 * cannot be told from a slow link.
 */
function createAhead() {
  let latest = 0
  let before = 0
  let since = Number.NEGATIVE_INFINITY
  let lastSentMs: Milliseconds | undefined
  return {
    /** A message of the primary, be it one that was heard before. */
    heard(sentMs: Milliseconds, nowMs: Milliseconds): void {
      // why: a clock that was set right is believed again, but not while nothing is heard of it
      if (sentMs !== lastSentMs && Math.abs(nowMs - since) > REMEMBERED_MS) {
        before = latest
        latest = 0
        since = nowMs
      }
      lastSentMs = sentMs
    },
    atLeast(ms: Milliseconds): void {
      latest = Math.max(latest, ms)
    },
    ms: () => Math.max(latest, before),
  }
}

/**
 * What the primary said of the end of its WAL: once a standby has replayed up to that end, it shows all that was
 * committed when the message was sent.
 */
interface Message {
  /** Positions of different timelines do not compare. */
  readonly timeline: string | null
  readonly end: bigint
  /** By the primary's clock. */
  readonly sentMs: Milliseconds
}

/** A standby that replays nothing for ten minutes has as many, one for each probe. */
const MAX_MESSAGES = 600
const DISTRUSTED_MS = 60_000

function createMessages() {
  /** In the order in which they were sent, which is that of their ends. */
  let messages: Message[] = []
  return {
    add(message: Message): void {
      const last = messages.at(-1)
      if (last && last.timeline === message.timeline) {
        // why: a primary that falls behind with sending says how far it has sent, which is not its end
        if (message.end < last.end && message.sentMs - last.sentMs < DISTRUSTED_MS) return
        if (message.end === last.end) messages.pop()
      }
      if (last && (last.timeline !== message.timeline || message.end < last.end)) messages = []
      messages.push(message)
      if (messages.length > MAX_MESSAGES) messages = messages.filter((_, at) => at % 2 === 1)
    },
    /** The instant that data replayed up to there show, at least; undefined if no message tells. */
    shownAt(replayed: bigint): Milliseconds | undefined {
      const at = messages.findLastIndex(({ end }) => end <= replayed)
      if (at > 0) messages = messages.slice(at)
      return at < 0 ? undefined : messages[0]?.sentMs
    },
  }
}
