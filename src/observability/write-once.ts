/** The first of lines alike, then one every 30 s with how many were left out. */
import type { Logger } from 'pino'
import type { Clock } from '../terms.ts'
import { errorFields } from './error-fields.ts'
import { createRepeats } from './repeats.ts'

interface Fields {
  readonly replica?: string | undefined
  readonly [field: string]: unknown
}

export interface WriteOnce {
  /** Alike are lines of one text and replica whose errors are. */
  readonly write: (level: 'warn' | 'error', error: unknown, fields: Fields, text: string) => void
  /** Every line is the first of its like again. */
  readonly reset: () => void
}

export function createWriteOnce(log: Logger, now: Clock): WriteOnce {
  const repeats = createRepeats(now)
  return {
    write(level, error, fields, text) {
      const { write, omitted } = repeats.note(`${text} ${identityOf(error)}`, fields.replica)
      if (write) log[level]({ ...fields, err: error, ...(omitted > 0 && { omitted }) }, text)
    },
    reset: () => repeats.reset(),
  }
}

/** What grows while something is away: a lag, a wait, a file. */
const QUANTITY = /\d+(?:\.\d+)?(?= (?:s|ms|bytes)\b)/g

/** Two errors of one code are alike, and so are two that differ in a quantity. */
export function identityOf(error: unknown): string {
  const { code, message } = errorFields(error)
  return code ?? message.replaceAll(QUANTITY, '')
}
