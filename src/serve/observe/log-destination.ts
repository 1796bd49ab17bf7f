/**
 * Writes log lines to a file descriptor by pino's destination, without waiting for its reader. If the reader is ready, a
 * line is written at once, so a crash loses none. Otherwise lines go to a bounded buffer. If it is full, lines are
 * dropped and counted.
 */
import { pino } from 'pino'
import type { Bytes, Milliseconds } from '../../model/terms.ts'

export interface LogDestination {
  /** @param line ends in a newline */
  readonly write: (line: string) => void
  /** Writes what is buffered while the reader makes progress. If it stalls or is closed, the rest is dropped. */
  readonly flushSync: () => void
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

const RETRY_MS: Milliseconds = 50
const STALLED_MS: Milliseconds = 500
const LONGEST_FLUSH_MS: Milliseconds = 5000

export function createLogDestination(options: LogDestinationOptions): LogDestination {
  const { fd, maxBytes, onDrop, droppedLine } = options
  const stream = pino.destination({
    dest: fd,
    sync: true,
    // why: `flush` writes only if there is a minimum
    minLength: 1,
    maxLength: maxBytes,
    // why: it would sleep until the reader is ready
    retryEAGAIN: () => false,
  })
  let droppedCount = 0
  /** Of the last attempt to write; undefined if nothing is buffered. */
  let failure: NodeJS.ErrnoException | undefined
  let progressAt: Milliseconds = 0
  let timer: NodeJS.Timeout | undefined

  function retry(): void {
    timer = undefined
    stream.flush()
  }

  function writeDropped(): void {
    if (failure !== undefined) return void stream.once('drain', writeDropped)
    if (droppedCount > 0) stream.write(droppedLine(droppedCount))
    droppedCount = 0
  }

  // why: pino's own listener ends the log if the pipe has no reader, which is temporary, as is a full disk
  stream.removeAllListeners('error')
  stream.on('error', (error: Error) => {
    failure = error
    timer ??= setTimeout(retry, RETRY_MS).unref()
  })
  stream.on('write', () => {
    failure = undefined
    progressAt = performance.now()
  })
  stream.on('drop', () => {
    if (droppedCount === 0) stream.once('drain', writeDropped)
    droppedCount += 1
    onDrop()
  })

  return {
    write: line => void stream.write(line),
    flushSync() {
      const startedAt = (progressAt = performance.now())
      for (;;) {
        stream.flush()
        const at = performance.now()
        if (at - progressAt > STALLED_MS || at - startedAt > LONGEST_FLUSH_MS) return
        if (failure?.code !== 'EAGAIN') return writeDropped()
        Atomics.wait(NEVER_NOTIFIED, 0, 0, 5)
      }
    },
  }
}

const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(4))
