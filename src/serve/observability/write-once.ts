/** The first of lines alike, then one every 30 s with the number that was left out. */
import type { Logger } from 'pino'
import type { Clock } from '../../model/terms.ts'
import { errorFields } from './error-fields.ts'
import { createRepeats } from './repeats.ts'

interface Fields {
  readonly replica?: string | undefined
  readonly [field: string]: unknown
}

interface Subject {
  readonly level: 'warn' | 'error'
  readonly fields: Fields
  readonly text: string
}

export interface WriteOnce {
  /** Alike are lines of one text and replica whose errors are. */
  readonly write: (level: 'warn' | 'error', error: unknown, fields: Fields, text: string) => void
  /** Writes how many lines were left out, where that is not written yet. */
  readonly flush: () => void
  /** Every line is the first of its like again. */
  readonly reset: () => void
}

export function createWriteOnce(log: Logger, now: Clock): WriteOnce {
  const repeats = createRepeats<Subject>(now, (omitted, subject) => {
    const { level = 'warn', fields, text = 'several errors' } = subject ?? {}
    log[level]({ ...fields, omitted }, `${omitted} more lines: ${text}`)
  })
  return {
    write(level, error, fields, text) {
      const { write, omitted } = repeats.note({
        key: `${text} ${identityOf(error)}`,
        owner: fields.replica,
        subject: { level, fields: { replica: fields.replica }, text },
      })
      if (write) log[level]({ ...fields, err: error, ...(omitted > 0 && { omitted }) }, text)
    },
    flush: () => repeats.flush(),
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
