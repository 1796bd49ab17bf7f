/** One warning in 30 s for each reason to close connections. */
import type { Logger } from 'pino'
import type { CloseReason } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { createRepeats } from './repeats.ts'

const TEXTS: Readonly<Record<CloseReason, string>> = {
  limit: 'a connection was closed: as many as MAX_CONNECTIONS are open',
  unauthorized:
    'a connection was closed after MAX_UNAUTHORIZED_IN_A_ROW responses 401 in a row; if it is that of a proxy, set 0',
  pipelined: 'a connection was closed: too many pipelined requests waited',
}

export interface ConnectionLines {
  write(reason: CloseReason): void
  /** Writes how many lines were left out, where that is not written yet. */
  flush(): void
}

export function createConnectionLines(log: Logger, now: Clock): ConnectionLines {
  const repeats = createRepeats<CloseReason>(now, (omitted, reason) => {
    log.warn({ reason, omitted }, `${omitted} more connections were closed`)
  })
  return {
    write(reason) {
      const { write, omitted } = repeats.note({ key: reason, subject: reason })
      if (write) log.warn({ reason, ...(omitted > 0 && { omitted }) }, TEXTS[reason])
    },
    flush: () => repeats.flush(),
  }
}
