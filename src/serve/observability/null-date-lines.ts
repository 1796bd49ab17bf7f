/** One warning in 30 s for each column whose dates cannot be shown. */
import type { Logger } from 'pino'
import type { Observation } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { createRepeats } from './repeats.ts'

type Fact = Extract<Observation, { kind: 'dates-nulled' }>

export interface NullDateLines {
  write(fact: Fact): void
  /** Writes how many lines were left out, where that is not written yet. */
  flush(): void
}

export function createNullDateLines(log: Logger, now: Clock): NullDateLines {
  const repeats = createRepeats<Pick<Fact, 'definition' | 'column'>>(now, (omitted, subject) => {
    const text = 'dates outside the years 0001-9999, which are sent as null'
    log.warn({ ...subject, omitted }, `${omitted} more lines: ${text}`)
  })
  return {
    write({ definition, column, valueCount }) {
      const subject = { definition, column }
      const { write, omitted } = repeats.note({ key: `${definition} ${column}`, subject })
      if (!write) return
      const fields = { ...subject, valueCount, ...(omitted > 0 && { omitted }) }
      log.warn(fields, nullDatesText(definition, column))
    },
    flush: () => repeats.flush(),
  }
}

/** Also of `svodka run`. */
export function nullDatesText(definition: string, column: string): string {
  return `the column ${column} of ${definition} has dates outside the years 0001-9999, which are sent as null`
}
