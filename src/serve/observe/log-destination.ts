/**
 * Writes log lines to a file descriptor by pino's destination, in batches and without waiting for the reader. If the
 * reader stalls, lines go to a bounded buffer; if that is full, they are dropped and counted.
 */
import { pino } from 'pino'
import type { Bytes, Milliseconds } from '../../model/terms.ts'

export interface LogDestination {
  /** @param line ends in a newline */
  readonly write: (line: string) => void
  /** Writes what is buffered. If the reader does not read it in 2 s or has closed the pipe, the rest is dropped. */
  readonly flushSync: () => void
}

const BATCH_BYTES: Bytes = 4096
const BATCH_MS: Milliseconds = 100
const LONGEST_FLUSH_MS: Milliseconds = 2000
const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(4))

export function createLogDestination(options: {
  /** A non-blocking pipe or socket, a file or a terminal. */
  readonly fd: number
  readonly maxBytes: Bytes
  readonly onDrop: (lineCount: number) => void
  /** The line with the number of lines dropped before it. */
  readonly droppedLine: (lineCount: number) => string
}): LogDestination {
  const { fd: dest, maxBytes: maxLength, onDrop, droppedLine } = options
  const stream = pino.destination({
    dest,
    // why: asynchronous writes lose the batch in flight when the process ends
    sync: true,
    // why: `flush` writes only if there is a minimum
    minLength: 1,
    maxLength,
    // why: it would sleep until the reader is ready
    retryEAGAIN: () => false,
  })
  let batch = ''
  let timer: NodeJS.Timeout | undefined
  let droppedCount = 0
  /** Of the last attempt to write; undefined if nothing is buffered. */
  let failure: NodeJS.ErrnoException | undefined

  function flush(): void {
    stream.write(batch)
    batch = ''
    stream.flush()
    if (failure !== undefined) return flushLater()
    if (droppedCount > 0) stream.write(droppedLine(droppedCount))
    droppedCount = 0
  }

  function flushLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      flush()
    }, BATCH_MS).unref()
  }

  // why: pino's own listener ends the log if the pipe has no reader, which is temporary, as is a full disk
  stream.removeAllListeners('error')
  stream.on('error', (error: Error) => void (failure = error))
  stream.on('write', () => void (failure = undefined))
  stream.on('drop', (lines: string) => {
    const lineCount = lines.split('\n').length - 1
    droppedCount += lineCount
    onDrop(lineCount)
  })

  return {
    write(line) {
      batch += line
      if (batch.length >= BATCH_BYTES) flush()
      else flushLater()
    },
    flushSync() {
      const giveUpAt = performance.now() + LONGEST_FLUSH_MS
      for (;;) {
        flush()
        if (failure?.code !== 'EAGAIN' || performance.now() > giveUpAt) return
        Atomics.wait(NEVER_NOTIFIED, 0, 0, 5)
      }
    },
  }
}
