/** Writes observations as log lines: JSON on stdout, readable text on a terminal. Knows no database and no server. */
import { createRequire } from 'node:module'
import { pino } from 'pino'
import type { DestinationStream } from 'pino'
import type PinoPretty from 'pino-pretty'
import { hideCredentials } from '../../model/secrets.ts'
import type { RemoveSecrets } from '../../model/secrets.ts'
import type { Bytes, Clock, Milliseconds } from '../../model/terms.ts'
import { errorFields } from './error-fields.ts'
import { createLogDestination } from './log-destination.ts'
import type { LogDestination } from './log-destination.ts'
import { createLogLines } from './log-lines.ts'

const SUMMARY_EVERY_MS: Milliseconds = 60_000

/** Buffer for a slow reader of stdout: about 10,000 lines, a second of `LOG_LEVEL=debug` under load. */
const MAX_BUFFERED_BYTES: Bytes = 4 * 2 ** 20

export interface LogOptions {
  readonly level: pino.LevelWithSilent
  /** Addresses and networks of proxies. Default: no proxy is trusted. */
  readonly trustProxy?: readonly string[] | undefined
  /** Readable text for a terminal. */
  readonly pretty: boolean
  readonly now: Clock
  readonly wall: Clock
  /** Default: stdout. */
  readonly destination?: LogDestination
  /** Applied to each line. Default: hides credentials of URLs. */
  readonly removeSecrets?: RemoveSecrets
  /** Called if lines are dropped because the reader of stdout has stalled. */
  readonly onDrop?: (lineCount: number) => void
}

export type Log = ReturnType<typeof createLog>

export function createLog(options: LogOptions) {
  const { level, wall, removeSecrets = hideCredentials } = options
  const lines = options.destination ?? createStdout(options)
  const destination = { write: (line: string) => lines.write(removeSecrets(line)) }
  const flushLines = (): void => lines.flushSync()
  const hasStacks = level === 'debug' || level === 'trace'
  // why: a crash and a second signal end the process without `close`
  process.once('exit', flushLines)
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(wall()).toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
      serializers: { err: (error: unknown) => errorFields(error, removeSecrets, hasStacks) },
    },
    options.pretty ? prettify(destination) : destination,
  )
  const { observe, flush } = createLogLines(log, options.trustProxy ?? [], options.now)
  const timer = setInterval(flush, SUMMARY_EVERY_MS)
  timer.unref()

  return {
    observe,
    /** For lines without an observation: start, command line. An error goes into `err`. */
    log,
    /** Writes the lines that are due each minute: the summary of requests and the numbers of omitted lines. */
    flush,
    /** Writes the last summary and the buffered lines, and stops the timer of the summaries. */
    close() {
      clearInterval(timer)
      flush()
      process.off('exit', flushLines)
      flushLines()
    },
  }
}

function createStdout({ onDrop = () => {}, wall }: LogOptions): LogDestination {
  return createLogDestination({
    // why: the first use of `process.stdout` makes a pipe or a socket non-blocking
    fd: process.stdout.fd,
    maxBytes: MAX_BUFFERED_BYTES,
    onDrop,
    // why: written at any `LOG_LEVEL`, since lines of every level were dropped
    droppedLine: dropped => {
      const time = new Date(wall()).toISOString()
      const msg = `${dropped} lines were dropped, because the reader of the log was too slow`
      return `${JSON.stringify({ level: 'error', time, dropped, msg })}\n`
    },
  })
}

function prettify(lines: DestinationStream): DestinationStream {
  // why: a gateway without a terminal need not load it
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty
  const format = pretty.prettyFactory({ translateTime: 'SYS:HH:MM:ss.l', singleLine: true })
  return { write: line => lines.write(format(line)) }
}
