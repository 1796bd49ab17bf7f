/** The lines of an outage: the first failure, a count of those alike, the recovery. */
import type { Logger } from 'pino'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createLineLimit, SEVERAL_ERRORS } from './line-limit.ts'

export interface Outage {
  failed(error: unknown, fields?: { readonly replica?: string | undefined }): void
  /** Writes how long it was unavailable, if it was. */
  recovered(): void
}

export function createOutage(
  log: Logger,
  now: Clock,
  texts: { readonly failed: string; readonly recovered: string },
): Outage {
  const limit = createLineLimit(log, now, SEVERAL_ERRORS)
  let since: Milliseconds | undefined
  let failures = 0
  return {
    failed(error, fields = {}) {
      since ??= now()
      failures += 1
      limit.writeError('warn', error, fields, texts.failed)
    },
    recovered() {
      if (since === undefined) return
      const awaySeconds = Math.round((now() - since) / 100) / 10
      log.info({ awaySeconds, failures }, `${texts.recovered} after ${awaySeconds} s`)
      since = undefined
      failures = 0
      limit.reset()
    },
  }
}
