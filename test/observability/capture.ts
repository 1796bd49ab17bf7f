/** A log that keeps its lines, on a clock that is told when to move; closed after each test. */
import { createLog } from '../../src/observability/log.ts'
import type { Log, LogOptions } from '../../src/observability/log.ts'

export interface Captured extends Log {
  readonly texts: string[]
  /** The lines so far, parsed. */
  lines(): Record<string, unknown>[]
  /** Their messages. */
  messages(): unknown[]
  pass(seconds: number): void
}

const open: Log[] = []

export function capture(options: Partial<LogOptions> = {}): Captured {
  const texts: string[] = []
  let time = Date.parse('2026-11-21T10:00:00Z')
  const log = createLog({
    level: 'info',
    requests: 'summary',
    slowRequestMs: 1000,
    pretty: false,
    now: () => time,
    destination: { write: line => void texts.push(line) },
    ...options,
  })
  open.push(log)
  const lines = (): Record<string, unknown>[] => texts.map(text => JSON.parse(text))
  return {
    ...log,
    texts,
    lines,
    messages: () => lines().map(({ msg }) => msg),
    pass(seconds) {
      time += seconds * 1000
    },
  }
}

/** An error with the fields that a library would give it. */
export function failure(message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), fields)
}

afterEach(() => open.splice(0).forEach(log => log.close()))
