/**
 * Log lines to a file descriptor, without ever waiting for its reader. A line is written at once if the
 * reader takes it, so a crash loses none. Otherwise lines wait in a bounded buffer, then they are dropped
 * and counted.
 */
import { writevSync } from 'node:fs'
import type { Bytes, Milliseconds } from '../../model/terms.ts'

export interface LogDestination {
  /** @param line ends in a newline */
  readonly write: (line: string) => void
  /** Writes what is buffered while the reader makes progress. If it stalls or is closed, the rest is dropped. */
  readonly flushSync: () => void
  /** Discards what is buffered and what comes. Call it before the descriptor is closed: its number is used again. */
  readonly close: () => void
}

interface LogDestinationOptions {
  /** Of a pipe or socket that is non-blocking, of a file or of a terminal. */
  readonly fd: number
  readonly maxBytes: Bytes
  /** For each line that is dropped. */
  readonly onDrop: () => void
  /** The line with the number of those that were dropped before it. */
  readonly droppedLine: (lineCount: number) => string
}

const LINES_AT_ONCE = 128
const FIRST_RETRY_MS: Milliseconds = 1
const LAST_RETRY_MS: Milliseconds = 100

const STALLED_MS: Milliseconds = 500
const LONGEST_FLUSH_MS: Milliseconds = 5000

export function createLogDestination(options: LogDestinationOptions): LogDestination {
  const { fd, maxBytes, onDrop, droppedLine } = options
  const lines: Buffer[] = []
  let byteCount = 0
  let droppedCount = 0
  let retryMs = FIRST_RETRY_MS
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function put(line: string): void {
    const bytes = Buffer.from(line)
    lines.push(bytes)
    byteCount += bytes.length
  }

  /** At half of the buffer, well before it is empty: the line is where the dropped ones would be. */
  function putDroppedLine(): void {
    if (droppedCount === 0 || byteCount > maxBytes / 2) return
    put(droppedLine(droppedCount))
    droppedCount = 0
  }

  /** @returns how many bytes the reader took @throws Error with code `EAGAIN` where it takes none now */
  function writeLines(): Bytes {
    const written = writevSync(fd, lines.slice(0, LINES_AT_ONCE))
    byteCount -= written
    let rest = written
    while (rest > 0 && rest >= lines[0]!.length) rest -= lines.shift()!.length
    if (rest > 0) lines[0] = lines[0]!.subarray(rest)
    putDroppedLine()
    return written
  }

  function writeUntilRefused(): void {
    timer = undefined
    try {
      writeLines()
      retryMs = FIRST_RETRY_MS
    } catch {
      // why: a full disk and a pipe without a reader are temporary, and a log must not end the process
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
    }
    if (lines.length > 0) timer = setTimeout(writeUntilRefused, retryMs).unref()
  }

  return {
    write(line) {
      if (isClosed) return
      const isFull = byteCount > 0 && byteCount + line.length > maxBytes
      if (isFull || droppedCount > 0) {
        droppedCount += 1
        onDrop()
        return
      }
      put(line)
      if (timer === undefined) writeUntilRefused()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      lines.length = 0
    },
    flushSync() {
      const startedAt = performance.now()
      let progressAt = startedAt
      while (lines.length > 0) {
        const at = performance.now()
        if (at - progressAt > STALLED_MS || at - startedAt > LONGEST_FLUSH_MS) return
        try {
          if (writeLines() > 0) progressAt = at
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
          pause()
        }
      }
    },
  }
}

const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(4))

function pause(): void {
  Atomics.wait(NEVER_NOTIFIED, 0, 0, 5)
}
