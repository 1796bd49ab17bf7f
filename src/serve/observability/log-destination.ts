/**
 * Writes log lines to a file descriptor, without waiting for its reader. If the reader is ready, a line is written at
 * once, so a crash loses none. Otherwise lines go to a bounded buffer. If it is full, lines are dropped and counted.
 */
import { writevSync } from 'node:fs'
import type { Bytes, Milliseconds } from '../../model/terms.ts'

export interface LogDestination {
  /** @param line ends in a newline */
  readonly write: (line: string) => void
  /** Writes what is buffered while the reader makes progress. If it stalls or is closed, the rest is dropped. */
  readonly flushSync: () => void
  /** Discards buffered and later lines. Call it before the descriptor is closed, because its number is reused. */
  readonly close: () => void
}

interface LogDestinationOptions {
  /** A non-blocking pipe or socket, a file or a terminal. */
  readonly fd: number
  readonly maxBytes: Bytes
  /** Called for each dropped line. */
  readonly onDrop: () => void
  /** The line with the number of lines dropped before it. */
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

  /** Writes the line once half of the buffer is free, in place of the dropped lines. */
  function putDroppedLine(): void {
    if (droppedCount === 0 || byteCount > maxBytes / 2) return
    put(droppedLine(droppedCount))
    droppedCount = 0
  }

  /** @returns number of bytes written @throws Error with code `EAGAIN` if the reader is not ready */
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
