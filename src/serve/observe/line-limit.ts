/** Limits similar log lines: the first is written, then one every 30 s with the number of omitted ones. */
import type { Level, Logger } from 'pino'
import type { Clock, Milliseconds } from '../../model/terms.ts'

const EVERY_MS: Milliseconds = 30_000
/** Bounds memory and output, whatever clients do; lines of further keys share one limit. */
const MAX_KEYS = 1024

interface LimitedLine {
  /** Lines with the same key are similar. */
  readonly key: string
  readonly level: Level
  readonly text: string
  /** Fields that similar lines have in common. */
  readonly about: object
  readonly fields: () => object
}

export type LineLimit = ReturnType<typeof createLineLimit>

/** The last written one of similar lines. */
interface Written extends Omit<LimitedLine, 'fields'> {
  readonly at: Milliseconds
  omitted: number
}

const OTHERS = { key: 'others', level: 'warn', text: 'lines of several kinds', about: {} } as const

export function createLineLimit(log: Logger, now: Clock) {
  /** Key to line, in the order of writing. */
  const written = new Map<string, Written>()

  function flushOmitted(last: Written): void {
    const { level, text, about, omitted } = last
    if (omitted > 0) log[level]({ ...about, omitted }, `${omitted} more: ${text}`)
    last.omitted = 0
  }

  function removeExpired(): void {
    for (const [key, last] of written) {
      if (now() - last.at < EVERY_MS) return
      written.delete(key)
      flushOmitted(last)
    }
  }

  return {
    write({ fields, ...line }: LimitedLine): void {
      const { key, level, text, about } = line
      if (!written.has(key) && written.size >= MAX_KEYS) removeExpired()
      const similar = written.has(key) || written.size < MAX_KEYS ? line : OTHERS
      const last = written.get(similar.key)
      if (last !== undefined && now() - last.at < EVERY_MS) return void (last.omitted += 1)
      written.delete(similar.key)
      written.set(similar.key, { ...similar, at: now(), omitted: 0 })
      log[level]({ ...about, ...fields(), omitted: last?.omitted || undefined }, text)
    },
    /** Writes the numbers of lines omitted since the last written ones. */
    flush: (): void => written.forEach(flushOmitted),
  }
}
