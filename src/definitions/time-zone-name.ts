/** Validates names of time zones against this runtime. */
import { utcOffsetOf } from './calendar.ts'

/**
 * `+03:00`, `-5`, `UTC+3`, `MSK-3`, `<+03>-3`. POSIX counts west of Greenwich, ISO 8601 east: PostgreSQL reads the
 * first, JavaScript the second from Node 24 on. `Etc/GMT+3`, `GMT+0` and `GMT-0` are names with one meaning for both.
 */
const OFFSET_LIKE = /^(?!gmt[+-]0$)(?:[+\-<\d]|[^/]*[+-]\d)/i

/** Undefined if this runtime knows the name. */
export function timeZoneFault(timeZone: string): string | undefined {
  const found = `time_zone is ${JSON.stringify(timeZone)}`
  if (OFFSET_LIKE.test(timeZone)) return `${found}, an offset, ${EXPECTED}`
  try {
    utcOffsetOf(0, timeZone)
    return undefined
  } catch {
    return `${found}, which Node does not know, ${EXPECTED}`
  }
}

export const EXPECTED = 'expected an IANA name such as Europe/Berlin'
