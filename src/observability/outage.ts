/** The lines of something that may be away: the first failure, a count of its like, the recovery. */
import type { Logger } from 'pino'
import type { Clock, Milliseconds } from '../terms.ts'
import { errorFields } from './error-fields.ts'
import { createRepeats } from './repeats.ts'

export interface Outage {
  failed(error: unknown): void
  /** It answered: says for how long it was away, if it was. */
  answered(): void
}

export function createOutage(
  log: Logger,
  now: Clock,
  texts: { readonly away: string; readonly back: string },
): Outage {
  const repeats = createRepeats(now)
  let since: Milliseconds | undefined
  let failures = 0
  return {
    failed(error) {
      since ??= now()
      failures += 1
      const { write, omitted } = repeats.note(identityOf(error))
      if (write) log.warn({ err: error, ...(omitted > 0 && { omitted }) }, texts.away)
    },
    answered() {
      if (since === undefined) return
      const awaySeconds = Math.round((now() - since) / 100) / 10
      log.info({ awaySeconds, failures }, `${texts.back} after ${awaySeconds} s`)
      since = undefined
      failures = 0
      repeats.reset()
    },
  }
}

/** What grows while something is away: a lag, a wait, a file. */
const QUANTITY = /\d+(?:\.\d+)?(?= (?:s|ms|bytes)\b)/g

/** Two errors of one code are the same line, and so are two that differ in a quantity. */
export function identityOf(error: unknown): string {
  const { code, message } = errorFields(error)
  return code ?? message.replaceAll(QUANTITY, '')
}
