/**
 * Computes an upper bound of a standby's lag from probe results. Stores messages of the primary, because a message
 * proves something only once its WAL is replayed.
 *
 * Instants are those of the primary's clock; the last step converts them to the standby's clock.
 */
import type { ReplicaState } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

/** The row of a probe. Instants are milliseconds since the epoch, positions are bytes of WAL. */
export interface ProbeRow {
  readonly in_recovery: boolean
  readonly replay_paused: boolean
  /** The role lacks the privilege to see the WAL receiver. */
  readonly hidden: boolean
  /** The clock of the probed server shows it, as `received_ms`. */
  readonly now_ms: string
  /** Replay position. */
  readonly replayed: string | null
  /** Instant of the last replayed commit, by the primary's clock, as `sent_ms`. */
  readonly replayed_ms: string | null
  /** End of the primary's WAL in its last message. Null while the standby does not stream. */
  readonly end: string | null
  readonly timeline: string | null
  readonly sent_ms: string | null
  readonly received_ms: string | null
}

/** The product's heartbeat row. Its instant is by the primary's clock, and undefined if the row cannot be read. */
export interface Heartbeat {
  readonly writtenMs: Milliseconds | undefined
  /** Why the row cannot be read. */
  readonly error?: unknown
}

/** For one server. @param allowPrimary a writable server is treated as the primary, without lag */
export function createLagBound(allowPrimary: boolean) {
  const messages = createMessages()
  const clockOffset = createClockOffset()

  return (row: ProbeRow, heartbeat?: Heartbeat): ReplicaState => {
    const nowMs = Number(row.now_ms)
    if (!row.in_recovery) return writable(nowMs, allowPrimary)
    const message = messageIn(row)
    if (message) {
      messages.add(message)
      clockOffset.addMessage(message.sentMs, nowMs)
      clockOffset.atLeast(message.sentMs - Number(row.received_ms))
    }
    // why: a message may come from a cascading standby; a commit always comes from the primary
    const proved = heartbeat ? heartbeat.writtenMs : messages.shownAt(row.replayed)
    const replayedMs = row.replayed_ms === null ? undefined : Number(row.replayed_ms)
    const shown = [proved, replayedMs].filter(instant => instant !== undefined)
    for (const instant of shown) clockOffset.atLeast(instant - nowMs)
    const shownMs = shown.length === 0 ? undefined : Math.max(...shown) - clockOffset.ms()
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
    // why: a server promoted while the old primary still runs lacks the writes of that primary
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
 * Lower bound of how far the primary's clock is ahead of the standby's: no commit is replayed before it was made.
 * Without the correction the lag would be too small, or negative. If the primary's clock is behind, the lag is too
 * large, which looks the same as a slow link.
 */
function createClockOffset() {
  let latest = 0
  let before = 0
  let since = Number.NEGATIVE_INFINITY
  let lastSentMs: Milliseconds | undefined
  return {
    /** A message of the primary, new or repeated. */
    addMessage(sentMs: Milliseconds, nowMs: Milliseconds): void {
      // why: the offset of a corrected clock expires, but only when new messages arrive
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
 * A message of the primary with the end of its WAL. Once a standby has replayed up to that end, it has all commits
 * from before the message was sent.
 */
interface Message {
  /** Positions of different timelines are not comparable. */
  readonly timeline: string | null
  readonly end: bigint
  /** The primary's clock showed it. */
  readonly sentMs: Milliseconds
}

/** Ten minutes without replay at one message for each probe. Beyond them every other message is forgotten. */
const MAX_MESSAGES = 600
const DISTRUSTED_MS = 60_000

function createMessages() {
  /** In the order of sending, which is also the order of `end`. */
  let messages: Message[] = []
  return {
    add(message: Message): void {
      const last = messages.at(-1)
      if (last && last.timeline === message.timeline) {
        // why: if sending lags, the message has the sent position instead of the WAL's end
        if (message.end < last.end && message.sentMs - last.sentMs < DISTRUSTED_MS) return
        if (message.end === last.end) messages.pop()
      }
      if (last && (last.timeline !== message.timeline || message.end < last.end)) messages = []
      messages.push(message)
      // why: while replay is paused, only the first message is replayed
      if (messages.length > MAX_MESSAGES) messages = messages.filter((_, at) => at % 2 === 0)
    },
    /** Data replayed up to this position are at least as new as the returned instant; undefined without a message. */
    shownAt(position: string | null): Milliseconds | undefined {
      if (position === null) return undefined
      const replayed = BigInt(position)
      const at = messages.findLastIndex(({ end }) => end <= replayed)
      if (at > 0) messages = messages.slice(at)
      return at < 0 ? undefined : messages[0]?.sentMs
    },
  }
}
