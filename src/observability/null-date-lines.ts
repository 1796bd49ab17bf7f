/** One warning in 30 s for each column whose dates cannot be shown. */
import type { Logger } from 'pino'
import type { Observation } from '../observation.ts'
import type { Clock } from '../terms.ts'
import { createRepeats } from './repeats.ts'

type Fact = Extract<Observation, { kind: 'dates-nulled' }>

export function createNullDateLines(log: Logger, now: Clock): (fact: Fact) => void {
  const repeats = createRepeats(now)
  return ({ definition, column, valueCount }) => {
    const { write, omitted } = repeats.note(`${definition} ${column}`)
    if (!write) return
    const fields = { definition, column, valueCount, ...(omitted > 0 && { omitted }) }
    log.warn(fields, nullDatesText(definition, column))
  }
}

/** Also of `svodka run`. */
export function nullDatesText(definition: string, column: string): string {
  return `the column ${column} of ${definition} has dates outside the years 0001-9999, which are sent as null`
}
