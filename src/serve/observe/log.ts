/** Writes observations as log lines: JSON on stdout, readable text on a terminal. Knows no database and no server. */
import { createRequire } from 'node:module'
import { pino, type DestinationStream } from 'pino'
import type PinoPretty from 'pino-pretty'
import { hideCredentials, type RemoveSecrets } from '../../model/secrets.ts'
import type { Bytes, Clock, Milliseconds } from '../../model/terms.ts'
import { errorFields } from './error-fields.ts'
import { createLogLines } from './log-lines.ts'

const SUMMARY_EVERY_MS: Milliseconds = 60_000

/** Buffer for a slow reader of stdout: about 10,000 lines, a second of `LOG_LEVEL=debug` under load. */
const MAX_BUFFERED_BYTES: Bytes = 4 * 2 ** 20
const BATCH_BYTES: Bytes = 4096
const BATCH_MS: Milliseconds = 100
/** How long the end of the process waits for the reader of stdout. */
const LAST_WRITE_MS: Milliseconds = 8000

/** Fields of observations that a line has otherwise, or in its text. */
const OMITTED = ['kind', 'origin', 'error']
const IN_TENTHS = ['durationMs', 'queueMs', 'resultAfterMs']
const inTenths = (ms: Milliseconds): Milliseconds => Math.round(ms * 10) / 10

export interface LogOptions {
  readonly level: pino.LevelWithSilent
  /** Addresses and networks of proxies. Default: no proxy is trusted. */
  readonly trustProxy?: readonly string[] | undefined
  /** Readable text for a terminal. */
  readonly pretty: boolean
  readonly now: Clock
  readonly wall: Clock
  /** Default: stdout. `end` writes what is buffered, after which no line is taken. */
  readonly destination?: DestinationStream & { readonly end: () => void }
  /** Applied to each line. Default: hides credentials of URLs. */
  readonly removeSecrets?: RemoveSecrets
  /** Called for each line that is dropped because the reader of stdout has stalled. */
  readonly onDrop?: () => void
}

export type Log = ReturnType<typeof createLog>

export function createLog(options: LogOptions) {
  const { level, wall, removeSecrets = hideCredentials } = options
  const destination = options.destination ?? createStdout(options.onDrop)
  const end = (): void => destination.end()
  const hasStacks = level === 'debug' || level === 'trace'
  // why: a crash and a second signal end the process without `close`
  process.once('exit', end)
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(wall()).toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
      serializers: {
        ...Object.fromEntries(OMITTED.map(field => [field, () => undefined])),
        ...Object.fromEntries(IN_TENTHS.map(field => [field, inTenths])),
        err: (error: unknown) => errorFields(error, removeSecrets, hasStacks),
      },
      hooks: { streamWrite: removeSecrets },
    },
    options.pretty ? prettify(destination) : destination,
  )
  const { observe, flush } = createLogLines(log, options.trustProxy ?? [], options.now)
  const timer = setInterval(flush, SUMMARY_EVERY_MS).unref()

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
      process.off('exit', end)
      end()
    },
  }
}

/** Writes in batches and never waits for the reader of stdout, except at the end. */
function createStdout(onDrop = (): void => {}): NonNullable<LogOptions['destination']> {
  let waitUntil = 0
  const stream = pino.destination({
    // why: the first use of `process.stdout` makes a pipe or a socket non-blocking
    dest: process.stdout.fd,
    // why: asynchronous writes lose the batch in flight when the process ends
    sync: true,
    minLength: BATCH_BYTES,
    maxLength: MAX_BUFFERED_BYTES,
    periodicFlush: BATCH_MS,
    // why: it sleeps before it tries again
    retryEAGAIN: () => performance.now() < waitUntil,
  })
  // why: pino's own listener ends the log if the pipe has no reader, which is temporary, as is a full disk
  stream.removeAllListeners('error').on('error', () => {})
  stream.on('drop', onDrop)
  return {
    write: line => void stream.write(line),
    // why not `flushSync`: it never returns if the reader has closed the pipe
    end() {
      waitUntil = performance.now() + LAST_WRITE_MS
      stream.end()
    },
  }
}

function prettify(destination: DestinationStream): DestinationStream {
  // why: a gateway without a terminal need not load it
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty
  const format = pretty.prettyFactory({ translateTime: 'SYS:HH:MM:ss.l', singleLine: true })
  return { write: line => destination.write(format(line)) }
}
