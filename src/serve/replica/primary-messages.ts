/**
 * What a primary has said of the end of its WAL, and when: once a standby has replayed up to that end, it
 * shows all that was committed when the message was sent.
 */
import type { Milliseconds } from '../../model/terms.ts'

export interface Message {
  /** Positions of different timelines do not compare. */
  readonly timeline: string | null
  readonly end: bigint
  /** By the primary's clock. */
  readonly sentMs: Milliseconds
}

export interface Messages {
  heard(message: Message): void
  /** The instant that data replayed up to there show, at least; undefined where no message tells. */
  shownAt(replayed: bigint): Milliseconds | undefined
}

/** A standby that replays nothing for ten minutes has as many, one for each look. */
const MAX_KEPT = 600
const DISTRUSTED_MS = 60_000

export function createMessages(): Messages {
  /** In the order in which they were sent, which is that of their ends. */
  let kept: Message[] = []
  return {
    heard(message) {
      const last = kept.at(-1)
      if (last && last.timeline === message.timeline) {
        // why: a primary that falls behind with sending says how far it has sent, which is not its end
        if (message.end < last.end && message.sentMs - last.sentMs < DISTRUSTED_MS) return
        if (message.end === last.end) kept.pop()
      }
      if (last && (last.timeline !== message.timeline || message.end < last.end)) kept = []
      kept.push(message)
      if (kept.length > MAX_KEPT) kept = kept.filter((_, place) => place % 2 === 1)
    },
    shownAt(replayed) {
      const place = kept.findLastIndex(({ end }) => end <= replayed)
      if (place > 0) kept = kept.slice(place)
      return place < 0 ? undefined : kept[0]?.sentMs
    },
  }
}
