/** Facts to log lines: JSON on stdout, or readable ones on a terminal. Knows no database and no server. */
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Observe } from '../observation.ts'
import type { Clock, Milliseconds } from '../terms.ts'
import { errorFields } from './error-fields.ts'
import { createLines } from './lines.ts'
import { createRequestLines } from './request-lines.ts'

const SUMMARY_EVERY_MS: Milliseconds = 60_000

export interface LogOptions {
  readonly level: pino.LevelWithSilent
  readonly requests: 'summary' | 'all'
  readonly slowRequestMs: Milliseconds
  /** For a terminal. */
  readonly pretty: boolean
  readonly now: Clock
  /** Takes lines that end in a newline; stdout if there is none. */
  readonly destination?: DestinationStream
}

export interface Log {
  readonly observe: Observe
  /** For what is no fact: the start, the command line. An error goes into `err`. */
  readonly log: Logger
  /** Writes the summary of requests that is due once a minute. Lines themselves are never held back. */
  readonly flush: () => void
  /** Writes the last summary, and stops the clock of the summaries. */
  readonly close: () => void
}

export function createLog(options: LogOptions): Log {
  const { level, requests, slowRequestMs, now } = options
  // Synchronous, as pino's default is: a line is out before the next one is made, so a crash loses none,
  // and there is nothing to flush at the end, which in sonic-boom 4.2 never ends once the reader is gone.
  const lines = options.destination ?? pino.destination({ sync: true })
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: label => ({ level: label }), log: withRoundDurations },
      serializers: { err: errorFields },
    },
    options.pretty ? prettify(lines) : lines,
  )
  const requestLines = createRequestLines({ log, requests, slowRequestMs, now })
  const timer = setInterval(() => requestLines.summarize(), SUMMARY_EVERY_MS)
  timer.unref()

  return {
    observe: createLines(log, fact => requestLines.observe(fact), now),
    log,
    flush() {
      requestLines.summarize()
    },
    close() {
      clearInterval(timer)
      requestLines.summarize()
    },
  }
}

function withRoundDurations(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(roundDuration))
}

/** A tenth of a millisecond is as exact as a person reads. */
function roundDuration([name, value]: [string, unknown]): [string, unknown] {
  if (!name.endsWith('Ms') || typeof value !== 'number') return [name, value]
  return [name, Math.round(value * 10) / 10]
}

function prettify(lines: DestinationStream): DestinationStream {
  const format = pretty.prettyFactory({ translateTime: 'SYS:HH:MM:ss.l', singleLine: true })
  return { write: line => lines.write(format(line)) }
}
