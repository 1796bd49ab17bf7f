/** When a run reads on: its reader may have enough for now, and the process has others to serve. Knows no rows. */
import type { Bytes, Clock, Milliseconds } from '../../model/terms.ts'

/** So much is read before everything else has its turn. libuv alone would read 2 MB. */
const TURN_BYTES: Bytes = 128 * 1024
/** Or so long is spent on it: rows of a workbook take twenty times as long as those of JSON. */
const TURN_MS: Milliseconds = 8
/** The clock is looked at after so much. */
const LOOK_BYTES: Bytes = 16 * 1024

export interface Pace {
  /** So much has been dealt with. */
  took(byteCount: Bytes): void
  /** Until the reader calls `resume`. */
  pause(): void
  /** Its reader has enough for now. */
  isPaused(): boolean
  resume(): void
  /** Whatever there is may come. */
  end(): void
}

export function createPace(
  stream: Pick<NodeJS.ReadableStream, 'pause' | 'resume'>,
  now: Clock = () => performance.now(),
): Pace {
  let isWanted = true
  let rest: NodeJS.Immediate | undefined
  let taken = 0
  let lookAfter = LOOK_BYTES
  let turnFrom = now()

  function awake(): void {
    rest = undefined
    turnFrom = now()
    if (isWanted) stream.resume()
  }

  return {
    took(byteCount) {
      taken += byteCount
      if (taken < lookAfter || rest !== undefined) return
      lookAfter = taken + LOOK_BYTES
      if (taken < TURN_BYTES && now() - turnFrom < TURN_MS) return
      taken = 0
      lookAfter = LOOK_BYTES
      stream.pause()
      rest = setImmediate(awake)
    },
    pause() {
      isWanted = false
      stream.pause()
    },
    isPaused: () => !isWanted,
    resume() {
      isWanted = true
      if (rest === undefined) stream.resume()
    },
    end() {
      clearImmediate(rest)
      rest = undefined
      isWanted = true
      stream.resume()
    },
  }
}
