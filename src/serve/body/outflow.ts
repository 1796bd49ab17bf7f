/**
 * The bytes of an answer on their way to its reader. A run waits a moment for a reader that is a
 * little behind; what one takes no sooner goes into a file, and the run goes on. Knows no rows.
 */
import { Readable } from 'node:stream'
import { CHUNK_BYTES } from '../formats/output.ts'
import type { Bytes, Clock, Milliseconds } from '../../model/terms.ts'
import type { Spool, SpoolFile } from './spool.ts'

/** A reader may be this far behind before the run waits. */
const AHEAD_BYTES: Bytes = 4 * CHUNK_BYTES

/** A reader that is at work is looked at again after so long. */
const AT_WORK_MS: Milliseconds = 100

export interface Outflow {
  readonly stream: Readable
  /** @see StreamedBody.whileAtWork */
  whileAtWork(isAtWork: () => boolean): void
  /** False: wait for `onRoom`. @throws SpoolFullError; as Node reports a file that cannot be made. */
  take(chunk: Buffer): boolean
  /** That was the last chunk. */
  end(): void
  /** The reader gets this error after what it has taken. */
  fail(error: unknown): void
}

export function createOutflow(options: {
  /** Undefined: the run waits for its reader as long as that takes. */
  readonly spool: Spool | undefined
  readonly organizationId: string
  /** So long in all does the run wait for its reader. */
  readonly patienceMs: Milliseconds
  readonly onRoom: () => void
  /** The stream has been read or destroyed; an error is that of a file that could not grow, or of its disk. */
  readonly onClosed: (error: unknown) => void
  readonly now: Clock
}): Outflow {
  const { spool, onRoom, now } = options
  let held: Buffer[] = []
  let heldBytes = 0
  let file: SpoolFile | undefined
  let wantsMore = false
  let isReading = false
  let ended = false
  let leftMs = options.patienceMs
  let waitsFrom: Milliseconds | undefined
  let timer: NodeJS.Timeout | undefined
  let fileError: unknown
  let isAtWork = nobody

  const stream = new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      wantsMore = true
      feed()
    },
    destroy(error, done) {
      clearTimeout(timer)
      held = []
      file?.close()
      options.onClosed(fileError)
      done(error)
    },
  })

  // why: it may fail before anybody reads it, and an error that nobody hears ends the process
  stream.on('error', () => {})

  function feed(): void {
    while (wantsMore && !isReading && !stream.destroyed) {
      const chunk = held.shift()
      if (chunk) {
        heldBytes -= chunk.length
        push(chunk)
      } else if (file !== undefined && !file.isEmpty()) {
        isReading = true
        file.read(found => {
          isReading = false
          push(found)
          feed()
        })
      } else {
        if (ended) stream.push(null)
        break
      }
    }
    if (waitsFrom !== undefined && heldBytes < AHEAD_BYTES) endWait(waitsFrom)
  }

  function push(chunk: Buffer): void {
    // why: pushing may ask for more before it answers
    wantsMore = false
    if (stream.push(chunk)) wantsMore = true
  }

  function wait(): boolean {
    if (spool !== undefined && leftMs <= 0 && !isAtWork()) return startToSpool(spool)
    waitsFrom = now()
    const patienceMs = leftMs > 0 ? leftMs : AT_WORK_MS
    if (spool !== undefined) timer = setTimeout(() => losePatience(spool), patienceMs)
    return false
  }

  function endWait(from: Milliseconds): void {
    clearTimeout(timer)
    leftMs -= now() - from
    waitsFrom = undefined
    onRoom()
  }

  function losePatience(into: Spool): void {
    if (isAtWork()) {
      timer = setTimeout(() => losePatience(into), AT_WORK_MS)
      return
    }
    waitsFrom = undefined
    leftMs = 0
    try {
      if (startToSpool(into)) onRoom()
    } catch (error) {
      lose(error)
    }
  }

  /** False as `take`. */
  function startToSpool(into: Spool): boolean {
    const opened = into.open(options.organizationId, { onRoom, onError: lose })
    file = opened
    const moved = held
    held = []
    heldBytes = 0
    return moved.map(chunk => opened.append(chunk)).at(-1) ?? true
  }

  function lose(error: unknown): void {
    fileError = error
    fail(error)
  }

  function fail(error: unknown): void {
    stream.destroy(error instanceof Error ? error : new Error(String(error)))
  }

  return {
    stream,
    whileAtWork: is => void (isAtWork = is),
    take(chunk) {
      if (stream.destroyed) return true
      if (file !== undefined && !(file.isEmpty() && wantsMore)) {
        const hasRoom = file.append(chunk)
        feed()
        return hasRoom
      }
      held.push(chunk)
      heldBytes += chunk.length
      feed()
      return waitsFrom !== undefined || heldBytes < AHEAD_BYTES ? waitsFrom === undefined : wait()
    },
    end() {
      ended = true
      feed()
    },
    fail,
  }
}

function nobody(): boolean {
  return false
}
