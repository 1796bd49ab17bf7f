/** Whether a text is the name of a time zone, as far as this runtime can tell. */
import { offsetOf } from './calendar.ts'

/**
 * `+03:00`, `-5`, `UTC+3`, `MSK-3`, `<+03>-3`. POSIX counts west of Greenwich, ISO 8601 east: PostgreSQL reads the
 * first, JavaScript the second from Node 24 on. `Etc/GMT+3` is a name, and the same zone to both, as are `GMT+0`
 * and `GMT-0`.
 */
const OFFSET_LIKE = /^(?!gmt[+-]0$)(?:[+\-<\d]|[^/]*[+-]\d)/i

/** What is wrong with a name of a time zone; undefined if this runtime knows it. */
export function timeZoneFault(timeZone: string): string | undefined {
  const found = `time_zone is ${JSON.stringify(timeZone)}`
  if (OFFSET_LIKE.test(timeZone)) return `${found}, an offset, ${EXPECTED}`
  try {
    offsetOf(0, timeZone)
    return undefined
  } catch {
    return `${found}, which Node does not know, ${EXPECTED}`
  }
}

export const EXPECTED = 'expected an IANA name such as Europe/Moscow'
