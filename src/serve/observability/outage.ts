/** The lines of something that may be away: the first failure, a count of its like, the recovery. */
import type { Logger } from 'pino'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createWriteOnce } from './write-once.ts'

export interface Outage {
  failed(error: unknown, fields?: { readonly replica?: string | undefined }): void
  /** It answered: says for how long it was away, if it was. */
  answered(): void
}

export function createOutage(
  log: Logger,
  now: Clock,
  texts: { readonly away: string; readonly back: string },
): Outage {
  const lines = createWriteOnce(log, now)
  let since: Milliseconds | undefined
  let failures = 0
  return {
    failed(error, fields = {}) {
      since ??= now()
      failures += 1
      lines.write('warn', error, fields, texts.away)
    },
    answered() {
      if (since === undefined) return
      const awaySeconds = Math.round((now() - since) / 100) / 10
      log.info({ awaySeconds, failures }, `${texts.back} after ${awaySeconds} s`)
      since = undefined
      failures = 0
      lines.reset()
    },
  }
}
